"""Where episodes come from: databases and exports, cut into chunks that processes can read on their own."""

from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from sqlalchemy import select

from releaseops_mcp.log import tables
from releaseops_mcp.log.blobs import Blobs
from releaseops_mcp.log.chain import Link, check
from releaseops_mcp.log.engine import Database, open_database
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.log.reading import ExportLog
from releaseops_mcp.log.rows import EpisodeFilter, EpisodeRow
from releaseops_mcp.log.store import Store

CHUNK = 500
"""Episodes that one process reads in one go."""


class Source(BaseModel):
    """One log: a database by its URL, or an export by its file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = ""
    export: Path | None = None
    suite: str = ""
    """Only the episodes of this suite; empty for all."""
    agent: str = ""
    """Only the episodes of this agent; empty for all."""

    @property
    def chosen(self) -> EpisodeFilter:
        """Which finished episodes of a database are read."""
        return EpisodeFilter(suite=self.suite, agent=self.agent)


class Chunk(BaseModel):
    """Some episodes of a source: those of a database above number `after`, at most CHUNK; an export is one chunk."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Source
    after: int = 0
    last: int = 0
    """The highest number that belongs to it."""


def chunks(source: Source) -> Iterator[Chunk]:
    """Cut a source up, without holding a transaction open."""
    if source.export is not None:
        yield Chunk(source=source)
        return
    database = open_database(source.url)
    try:
        total = Store(database).started()
    finally:
        database.close()
    for after in range(0, total, CHUNK):
        yield Chunk(source=source, after=after, last=after + CHUNK)


@contextmanager
def opened(chunk: Chunk) -> Generator[tuple[Iterator[LoggedEpisode], Blobs | None]]:
    """Give a chunk's episodes in order, chains checked on the way, and the blobs of a database.

    Reading raises ChainBroken and SchemaTooNew.
    """
    source = chunk.source
    if source.export is not None:
        yield (episode for episode in ExportLog(source.export).episodes() if _is_chosen(episode, source)), None
        return
    database = open_database(source.url)
    try:
        store = Store(database)
        rows = store.episodes(source.chosen, after=chunk.after, limit=CHUNK)
        yield _episodes(database, store, [row for row in rows if row.number <= chunk.last]), store.blobs
    finally:
        database.close()


def read_again(source: Source, ids: Collection[str]) -> Iterator[LoggedEpisode]:
    """Yield the episodes of these ids, in an order that depends on the log alone."""
    if source.export is not None:
        yield from (episode for episode in ExportLog(source.export).episodes() if episode.id in ids)
        return
    database = open_database(source.url)
    try:
        store = Store(database)
        waiting = iter(sorted(ids))
        while page := tuple(islice(waiting, CHUNK)):
            yield from _episodes(database, store, store.episodes(EpisodeFilter(ids=page), limit=CHUNK))
    finally:
        database.close()


def _episodes(database: Database, store: Store, rows: list[EpisodeRow]) -> Iterator[LoggedEpisode]:
    """Read all events of some episodes in one query: a query an episode costs more than all else together."""
    links: dict[int, list[Link]] = {row.number: [] for row in rows}
    counts = {row.number: row.count for row in rows}
    events = tables.events
    query = select(events).where(events.c.episode.in_(list(links))).order_by(events.c.episode, events.c.seq)
    with database.reading() as connection:
        for number, seq, kind, body, head in connection.execute(query):
            if seq < counts[number]:
                links[number].append(Link(seq, kind, body, head))
    truths = {name: store.truth(name) for name in {row.world_hash for row in rows}}
    for row in rows:
        checked = tuple(check(row.id, links.pop(row.number), count=row.count, head=row.head))
        yield LoggedEpisode(row.id, row.count, row.head, checked, truths[row.world_hash], row)


def _is_chosen(episode: LoggedEpisode, source: Source) -> bool:
    start = episode.start
    agent = start["origin"]["agent"] or start["origin"]["client"]
    return source.suite in ("", start["suite"]) and source.agent in ("", agent)
