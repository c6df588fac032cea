"""Finds the episodes that a mounted classic shows as live, and makes calls on them.

An episode that is over is unknown to the originals' routes, whoever ended it and through whatever door.
"""

import re
from collections.abc import Mapping
from typing import Any

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.errors import Conflict, UnknownEpisode
from releaseops_mcp.events import Origin
from releaseops_mcp.log.rows import EpisodeRow

_ID = re.compile(r"ep_[0-9a-f]{32}")
_NEVER = -1
"""A step that no episode is at: a call that expects it is never judged, and answered if its action_id is known."""


def may_be_id(value: Any) -> bool:
    """Return whether the arena may have given out this id; anything else is a name that a caller made up."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def find(arena: Arena, suite: str, episode_id: Any) -> EpisodeRow:
    """Return the row of an episode of one suite, over or not; raises UnknownEpisode."""
    row = arena.store.episode(episode_id) if may_be_id(episode_id) else None
    if row is None or row.suite != suite:
        raise unknown(episode_id)
    return row


def find_live(arena: Arena, suite: str, episode_id: Any) -> EpisodeRow:
    """Return the row of an episode of one suite that is not over; raises UnknownEpisode."""
    row = find(arena, suite, episode_id)
    if row.ended:
        raise unknown(episode_id)
    return row


def call_live(
    arena: Arena, row: EpisodeRow, tool: str, arguments: Mapping[str, Any], origin: Origin, action_id: Any = None
) -> Answer:
    """Make one call on an episode that is not over; raises UnknownEpisode where it is, and Conflict.

    A call that was applied before under its `action_id` gets the answer that it got then, even if it was the last one:
    that answer may have been lost on its way.
    """
    named = None if action_id == "" else action_id
    if row.ended and named is None:
        raise unknown(row.id)
    expected = _NEVER if row.ended else None
    answer = arena.call(row.id, tool, arguments, origin, action_id=named, expected_step=expected)
    if answer.refusal is None or not issubclass(answer.refusal.kind, Conflict):
        return answer
    raise unknown(row.id) if row.ended else Conflict(answer.refusal.message)


def unknown(episode_id: Any) -> UnknownEpisode:
    """Return the error for an episode that is not, or no longer, live."""
    return UnknownEpisode(f"no live episode {ascii(episode_id)[:80]}: it is unknown here or over; begin another one")
