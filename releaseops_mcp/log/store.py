"""The store: writes links and reads them back, and keeps the `episodes` projection in step with them.

An append moves events, projection and score in one transaction, guarded by the count that the writer believes in:
whoever comes second finds the count moved, writes nothing and is told so.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import DBAPIError

from releaseops_mcp import canonical
from releaseops_mcp.errors import ChainBroken, SchemaTooNew
from releaseops_mcp.log import tables
from releaseops_mcp.log.blobs import Blobs
from releaseops_mcp.log.chain import Link
from releaseops_mcp.log.engine import Database
from releaseops_mcp.log.prepared import Prepared
from releaseops_mcp.log.rows import Append, EpisodeDraft, EpisodeFilter, EpisodeRow, ScoreDraft, ScoreRow

_PAGE = 500
"""Episodes a page of a streaming read: no read transaction stays open between pages."""


class Store:
    """The log's database, opened and checked; safe to use from many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.blobs = Blobs(database)
        self._insert = sqlite_insert if database.is_sqlite else postgres_insert
        dialect = database.engine.dialect
        truth = self._insert(tables.truths).on_conflict_do_nothing()
        self._count_episode = Prepared(_COUNT_EPISODE, (), dialect)
        self._insert_truth = Prepared(truth, tables.truths.c.keys(), dialect)
        self._insert_episode = Prepared(insert(tables.episodes), tables.episodes.c.keys(), dialect)
        self._insert_event = Prepared(insert(tables.events), tables.events.c.keys(), dialect)
        self._move_episode = Prepared(_MOVE_EPISODE, _MOVED, dialect)
        self._insert_score = Prepared(_INSERT_SCORE, _SCORED, dialect)
        self._prepare()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def create(self, draft: EpisodeDraft, links: Sequence[Link], at_ms: int) -> int:
        """Store a new episode with its first links and its world's truth; return its number."""
        truth = {"world_hash": draft.world_hash, "suite": draft.suite, "truth": canonical.dumps(draft.truth)}
        row = {name: getattr(draft, name) for name in ("id", "scenario", "suite", "family", "agent", "world_hash")}
        state = {"steps": 0, "ended": False, "terminal_reason": None, "count": len(links), "head": links[-1].hash}
        times = {"started_ms": at_ms, "updated_ms": at_ms}
        with self._database.cursor() as cursor:
            number = self._count_episode.fetch(cursor)
            self._insert_truth.run(cursor, truth)
            self._insert_episode.run(cursor, {"number": number, **row, **state, **times})
            self._insert_event.run_many(cursor, [_event_row(number, link) for link in links])
        return number

    def append(self, number: int, change: Append) -> bool:
        """Append links to an episode; return False, having written nothing, where another writer was first."""
        count = change.after + len(change.links)
        with self._database.cursor() as cursor:
            moved = self._move_episode.run(
                cursor,
                {
                    "b_number": number,
                    "b_count": change.after,
                    "count": count,
                    "head": change.links[-1].hash,
                    "updated_ms": change.at_ms,
                    "steps": change.steps,
                    "ended": change.ended,
                    "terminal_reason": change.terminal_reason,
                },
            )
            if moved != 1:
                return False
            self._insert_event.run_many(cursor, [_event_row(number, link) for link in change.links])
            if change.score is not None:
                self._insert_score.run(cursor, _score_row(number, count, change.at_ms, change.score))
        return True

    def add_score(self, number: int, at_count: int, at_ms: int, score: ScoreDraft) -> None:
        """Store a re-computed score that supersedes the latest one."""
        with self._database.cursor() as cursor:
            self._insert_score.run(cursor, _score_row(number, at_count, at_ms, score))

    def episode(self, episode_id: str) -> EpisodeRow | None:
        """Return one episode's projection, or None."""
        with self._database.reading() as connection:
            row = connection.execute(_EPISODE_BY_ID, {"b_id": episode_id}).one_or_none()
        return _episode_row(row) if row is not None else None

    def chain(self, number: int) -> tuple[EpisodeRow, list[Link]]:
        """Return one episode's projection and the links that it counts."""
        with self._database.reading() as connection:
            row = connection.execute(_EPISODE_BY_NUMBER, {"b_number": number}).one()
            links = [Link(*link) for link in connection.execute(_LINKS, {"b_number": number, "b_count": row.count})]
        return _episode_row(row), links

    def episodes(self, chosen: EpisodeFilter | None = None, *, after: int = 0, limit: int = _PAGE) -> list[EpisodeRow]:
        """Return up to `limit` episodes with a number above `after`, in order: keyset paging."""
        query = select(tables.episodes).where(tables.episodes.c.number > after, *_conditions(chosen))
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(tables.episodes.c.number).limit(limit)).all()
        return [_episode_row(row) for row in rows]

    def count(self, chosen: EpisodeFilter | None = None) -> int:
        """Return how many episodes there are, or how many chosen ones."""
        query = select(func.count()).select_from(tables.episodes).where(*_conditions(chosen))
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def stream(self, chosen: EpisodeFilter | None = None) -> Iterator[EpisodeRow]:
        """Yield all chosen episodes in order, a page a transaction."""
        after = 0
        while page := self.episodes(chosen, after=after):
            yield from page
            after = page[-1].number

    def count_open(self, since_ms: int) -> int:
        """Return how many episodes are open and have moved since then."""
        condition = ~tables.episodes.c.ended & (tables.episodes.c.updated_ms > since_ms)
        with self._database.reading() as connection:
            return connection.execute(select(func.count()).where(condition)).scalar_one()

    def started(self) -> int:
        """Return how many episodes were ever started."""
        with self._database.reading() as connection:
            return _counter(connection, "episodes") or 0

    def stray_event(self, number: int) -> int | None:
        """Return the number of the first event of an episode that its count does not cover, or None."""
        with self._database.reading() as connection:
            return connection.execute(_STRAY, {"b_number": number}).scalar_one_or_none()

    def truth(self, world_hash: str) -> dict[str, Any]:
        """Return the frozen truth of a world, for the scorer alone."""
        query = select(tables.truths.c.truth).where(tables.truths.c.world_hash == world_hash)
        with self._database.reading() as connection:
            text = connection.execute(query).scalar_one_or_none()
        if text is None:
            raise ChainBroken(f"the truth of world {world_hash} is missing: restore the log from a copy")
        return json.loads(text)

    def scores(self, number: int) -> list[ScoreRow]:
        """Return every score of one episode, oldest first."""
        query = select(tables.scores).where(tables.scores.c.episode == number).order_by(tables.scores.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [replace(ScoreRow(*row), body=json.loads(row.body)) for row in rows]

    def add_tickets(self, tickets: Sequence[tuple[str, str]], at_ms: int) -> None:
        """Store freshly minted (ticket, scenario id) pairs."""
        rows = [{"ticket": ticket, "scenario": scenario, "created_ms": at_ms} for ticket, scenario in tickets]
        with self._database.writing() as connection:
            connection.execute(insert(tables.tickets), rows)

    def ticketed(self, ticket: str) -> str | None:
        """Return the scenario id behind a ticket, or None."""
        query = select(tables.tickets.c.scenario).where(tables.tickets.c.ticket == ticket)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def tickets(self, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` tickets that begin with `prefix`, in order."""
        column = tables.tickets.c.ticket
        query = select(column).where(column.startswith(prefix, autoescape=True)).order_by(column).limit(limit)
        with self._database.reading() as connection:
            return list(connection.execute(query).scalars())

    def _prepare(self) -> None:
        version = self._version()
        if version is None:
            self._create_tables()
            version = self._version()
        if version is None or version > tables.STORE_VERSION:
            raise SchemaTooNew(
                f"the log's tables have version {version} and this package knows {tables.STORE_VERSION}: "
                "use a newer releaseops-arena, or another log"
            )

    def _version(self) -> int | None:
        """Return the version of the tables, or None where there are none yet."""
        try:
            with self._database.engine.connect() as connection:
                return _counter(connection, "store_version")
        except DBAPIError as error:
            if "no such table" in str(error) or "does not exist" in str(error):
                return None
            raise self._database.unavailable(error) from error

    def _create_tables(self) -> None:
        with self._database.writing() as connection:
            if self._database.is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.execute(select(func.pg_advisory_xact_lock(0x52454C4F)))
            tables.metadata.create_all(connection)
            first = [{"name": "store_version", "value": tables.STORE_VERSION}, {"name": "episodes", "value": 0}]
            connection.execute(self._insert(tables.counters).on_conflict_do_nothing(), first)


_COUNT_EPISODE = (
    update(tables.counters)
    .where(tables.counters.c.name == "episodes")
    .values(value=tables.counters.c.value + 1)
    .returning(tables.counters.c.value)
)
_MOVED = ("count", "head", "updated_ms", "steps", "ended", "terminal_reason")
_MOVE_EPISODE = (
    update(tables.episodes)
    .where(tables.episodes.c.number == bindparam("b_number"), tables.episodes.c.count == bindparam("b_count"))
    .values({name: bindparam(name) for name in _MOVED})
)
_earlier = tables.scores.alias()
_SCORED = ("episode", "at_count", "at_ms", "reward_id", "version", "code_hash", "total", "body")
_INSERT_SCORE = insert(tables.scores).values(
    supersedes=select(func.max(_earlier.c.id)).where(_earlier.c.episode == bindparam("b_episode")).scalar_subquery()
)
_EPISODE_BY_ID = select(tables.episodes).where(tables.episodes.c.id == bindparam("b_id"))
_EPISODE_BY_NUMBER = select(tables.episodes).where(tables.episodes.c.number == bindparam("b_number"))
_LINKS = (
    select(tables.events.c.seq, tables.events.c.kind, tables.events.c.body, tables.events.c.hash)
    .where(tables.events.c.episode == bindparam("b_number"), tables.events.c.seq < bindparam("b_count"))
    .order_by(tables.events.c.seq)
)


_STRAY = (
    select(tables.events.c.seq)
    .join(tables.episodes, tables.episodes.c.number == tables.events.c.episode)
    .where(tables.events.c.episode == bindparam("b_number"), tables.events.c.seq >= tables.episodes.c.count)
    .order_by(tables.events.c.seq)
    .limit(1)
)
"""One statement, so that an episode which grows meanwhile is seen with the count of the same moment."""


def _conditions(chosen: EpisodeFilter | None) -> list[ColumnElement[bool]]:
    if chosen is None:
        return []
    columns = tables.episodes.c
    conditions = [columns[name] == getattr(chosen, name) for name in ("suite", "agent") if getattr(chosen, name)]
    if chosen.ended is not None:
        conditions.append(columns.ended == chosen.ended)
    if chosen.ids:
        conditions.append(columns.id.in_(chosen.ids))
    return conditions


def _episode_row(row: Row[Any]) -> EpisodeRow:
    return EpisodeRow(*row)


def _event_row(number: int, link: Link) -> dict[str, Any]:
    return {"episode": number, "seq": link.seq, "kind": link.kind, "body": link.body, "hash": link.hash}


def _counter(connection: Connection, name: str) -> int | None:
    query = select(tables.counters.c.value).where(tables.counters.c.name == name)
    return connection.execute(query).scalar_one_or_none()


def _score_row(number: int, at_count: int, at_ms: int, score: ScoreDraft) -> dict[str, Any]:
    return {
        "episode": number,
        "b_episode": number,
        "at_count": at_count,
        "at_ms": at_ms,
        "reward_id": score.reward_id,
        "version": score.version,
        "code_hash": score.code_hash,
        "total": score.total,
        "body": canonical.dumps(score.body),
    }
