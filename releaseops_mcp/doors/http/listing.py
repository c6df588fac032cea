"""Pages of episodes and of their scores: by number, so that a page is where it was whatever is started meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.log.rows import EpisodeFilter, EpisodeRow
from releaseops_mcp.log.store import Store

PAGE = 50
MAX_PAGE = 200
MAX_NUMBER = 2**31 - 1
SHOWN = (
    "scenario",
    "suite",
    "family",
    "agent",
    "started_ms",
    "updated_ms",
    "steps",
    "ended",
    "terminal_reason",
)


@dataclass(frozen=True, slots=True)
class Listing:
    """Which page of which episodes."""

    agent: str
    ended: bool | None
    after: int
    limit: int


def list_episodes(store: Store, chosen: Listing, suites: Sequence[str] | None) -> Json:
    """Return one page of episodes of these suites, or of all; raises InvalidArgument."""
    rows, next_after = _page(store, chosen, suites)
    return {"episodes": [_listed(row) for row in rows], "next_after": next_after}


def list_scores(store: Store, chosen: Listing, suites: Sequence[str] | None) -> Json:
    """Return one page of episodes with the score that stands for each; raises InvalidArgument."""
    rows, next_after = _page(store, chosen, suites)
    return {"scores": [_scored(store, row) for row in rows], "next_after": next_after}


def _page(store: Store, chosen: Listing, suites: Sequence[str] | None) -> tuple[list[EpisodeRow], int | None]:
    if not chosen.agent.isprintable():
        raise InvalidArgument("agent must be printable: the log holds no other names")
    every = EpisodeFilter(agent=chosen.agent, ended=chosen.ended)
    filters = [every] if suites is None else [replace(every, suite=suite) for suite in suites]
    found = [row for each in filters for row in store.episodes(each, after=chosen.after, limit=chosen.limit + 1)]
    found.sort(key=lambda row: row.number)
    rows = found[: chosen.limit]
    return rows, rows[-1].number if len(found) > len(rows) else None


def _listed(row: EpisodeRow) -> Json:
    return {"number": row.number, "episode_id": row.id, **{name: getattr(row, name) for name in SHOWN}}


def _scored(store: Store, row: EpisodeRow) -> Json:
    shown = {name: getattr(row, name) for name in ("scenario", "suite", "agent", "ended", "terminal_reason")}
    scores = store.scores(row.number)
    latest = scores[-1] if scores else None
    return {
        "number": row.number,
        "episode_id": row.id,
        **shown,
        "reward_id": latest.reward_id if latest else None,
        "version": latest.version if latest else None,
        "total": latest.total if latest else None,
        "components": latest.body["components"] if latest else {},
        "validity": latest.body["validity"] if latest else None,
    }
