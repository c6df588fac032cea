"""A logged episode, checked and parsed, and the whole logs that yield them: verify and re-score read any log alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from releaseops_mcp.log.chain import LoggedEvent, check
from releaseops_mcp.log.rows import EpisodeFilter, EpisodeRow
from releaseops_mcp.log.store import Store


@dataclass(frozen=True, slots=True)
class LoggedEpisode:
    """One episode with its events, whose chain has been checked."""

    id: str
    count: int
    head: str
    """Hash of the last event."""
    events: tuple[LoggedEvent, ...]
    truth: dict[str, Any] | None
    """What the scorer needs beyond the events; None in an export without it."""
    row: EpisodeRow | None = None
    """The projection, where the episode comes from a database."""

    @property
    def start(self) -> dict[str, Any]:
        """The data of the episode's first event."""
        return self.events[0].data


class Log(Protocol):
    """A whole log, read an episode at a time."""

    def total(self) -> int:
        """Return how many episodes there should be."""
        ...

    def episodes(self) -> Iterator[LoggedEpisode]:
        """Yield the episodes in order; raises ChainBroken and SchemaTooNew at the first bad place."""
        ...


class DatabaseLog:
    """The log in a database, or the chosen episodes of it."""

    def __init__(self, store: Store, chosen: EpisodeFilter | None = None) -> None:
        self.store = store
        self.chosen = chosen

    def total(self) -> int:
        """Return how many of the chosen episodes there are."""
        return self.store.count(self.chosen)

    def episodes(self) -> Iterator[LoggedEpisode]:
        """Yield the chosen episodes in order of their start, without holding a transaction open between them."""
        return (read_episode(self.store, row) for row in self.store.stream(self.chosen))


def read_episode(store: Store, row: EpisodeRow) -> LoggedEpisode:
    """Return one episode of a database as it stands now; raises ChainBroken and SchemaTooNew."""
    row, links = store.chain(row.number)
    events = tuple(check(row.id, links, count=row.count, head=row.head))
    return LoggedEpisode(row.id, row.count, row.head, events, store.truth(row.world_hash), row)
