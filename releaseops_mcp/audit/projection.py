"""Holds the row that lists an episode against its events: lists and filters must not tell another story."""

from typing import Any

from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.events import EpisodeEnd, ToolResult
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.log.store import Store


def check_projection(store: Store, episode: LoggedEpisode) -> None:
    """Raise ChainBroken where an episode's row differs from its events, or events lie beyond its count."""
    row = episode.row
    assert row is not None
    for name, expected in told_by(episode).items():
        if getattr(row, name) != expected:
            raise ChainBroken(
                f"{episode.id}: its row says {name} {getattr(row, name)!r} and its events say {expected!r}: "
                "the row was altered"
            )
    stray = store.stray_event(row.number)
    if stray is not None:
        raise ChainBroken(f"{episode.id} event {stray}: its row counts {row.count} events: it was put in or half lost")


def told_by(episode: LoggedEpisode) -> dict[str, Any]:
    """Return what the events say of the fields of an episode's row."""
    start, events = episode.start, episode.events
    steps = [event.data["step"] for event in events if event.kind == ToolResult.kind]
    ends = [event.data["reason"] for event in events if event.kind == EpisodeEnd.kind]
    return {
        "scenario": start["scenario"],
        "suite": start["suite"],
        "family": start["family"],
        "agent": start["origin"]["agent"] or start["origin"]["client"],
        "world_hash": start["world_hash"],
        "started_ms": events[0].at_ms,
        "updated_ms": events[-1].at_ms,
        "steps": steps[-1] if steps else 0,
        "ended": bool(ends),
        "terminal_reason": ends[0] if ends else None,
    }
