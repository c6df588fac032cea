"""Why a call is refused: every code, where it hangs in the error tree, and what the caller reads.

A message repeats at most 80 characters of what the caller sent and says nothing that the observation does not show.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from releaseops_mcp.episodes.base import Refusal
from releaseops_mcp.errors import EpisodeOver, InvalidArgument, OutOfBudget, UserError

MESSAGES: Mapping[str, str] = MappingProxyType(
    {
        "episode_over": "the episode is over: make no further call",
        "unknown_artifact": "nothing called {value} can be read with {tool}: name one that a proposal or a page names",
        "unknown_page": "{value} has {pages} pages: ask for one of them",
        "unknown_offset": "{value} does not go on at that byte: pass an answer's next_offset, or leave offset out",
        "tool_crashed": "{tool} crashed before it read anything; nothing was charged: make the same call again",
        "no_review_units": "no review unit is left in this phase: decide with what is known, or hold",
        "unknown_worker": "no worker {value} has an open proposal: ask one that the observation lists",
        "unknown_person": "no person {value}: read_policy lists the people",
        "review_requested": "a review was already requested in this phase: decide, or wait for the next one",
        "unknown_proposal": "no proposal {value}: name one that the observation lists",
        "already_decided": "proposal {value} is {status} in this version: name one that is open",
    }
)
KINDS: Mapping[str, type[UserError]] = MappingProxyType(
    {
        "episode_over": EpisodeOver,
        "tool_crashed": UserError,
        "no_review_units": OutOfBudget,
        "review_requested": OutOfBudget,
    }
)
ERROR_CODES: Mapping[str, type[UserError]] = MappingProxyType(
    {code: KINDS.get(code, InvalidArgument) for code in (*MESSAGES, "invalid_argument", "unknown_tool")}
)
"""Where each code hangs in the error tree."""


def refuse(code: str, **details: Any) -> Refusal:
    """Return the refusal of a code; `details` fill its message and are already safe to show."""
    return Refusal(code, MESSAGES[code].format_map(details), ERROR_CODES[code])


def shown(value: object) -> str:
    """Return what the caller sent as at most 80 ASCII characters."""
    text = ascii(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
