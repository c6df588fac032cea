"""What is read from the store and written to it, as frozen records."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from releaseops_mcp.log.chain import Link


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """The projection of one episode."""

    number: int
    """1, 2, 3, and so on in order of their start, without gaps."""
    id: str
    scenario: str
    suite: str
    family: str
    agent: str
    world_hash: str
    started_ms: int
    updated_ms: int
    steps: int
    ended: bool
    terminal_reason: str | None
    count: int
    head: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A stored score: derived from the log up to `at_count` events, never changed, perhaps superseded."""

    id: int
    episode: int
    at_count: int
    at_ms: int
    reward_id: str
    version: str
    code_hash: str
    total: float
    body: dict[str, Any]
    """Components, metrics, flags and validity."""
    supersedes: int | None


@dataclass(frozen=True, slots=True)
class ScoreDraft:
    """A score to store."""

    reward_id: str
    version: str
    code_hash: str
    total: float
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EpisodeDraft:
    """What is known of an episode at its start, besides its first links."""

    id: str
    scenario: str
    suite: str
    family: str
    agent: str
    world_hash: str
    truth: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Append:
    """Links to put behind an episode's first `after` ones, with the projection that they lead to."""

    after: int
    links: Sequence[Link]
    at_ms: int
    steps: int
    ended: bool
    terminal_reason: str | None
    score: ScoreDraft | None = None


@dataclass(frozen=True, slots=True)
class EpisodeFilter:
    """Which episodes to list; an empty field does not filter."""

    suite: str = ""
    agent: str = ""
    ended: bool | None = None
    ids: tuple[str, ...] = field(default=())
