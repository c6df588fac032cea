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
        "argument_error": "{tool} takes exactly the arguments {expected}, not {given}: call it again with those names",
        "terminal": "the episode is over, so {tool} does nothing but cost: make no further call",
        "unknown_artifact": "no artifact {value}: inspect an id that a proposal lists under refs",
        "no_evidence_actions": "no evidence action is left in phase {phase}: "
        "decide on the proposals, or hold to reach the next phase",
        "no_review_budget": "the review budget is spent: decide on the proposals with what is known",
        "invalid_question": "no question type {value}: ask for one of {known}",
        "no_active_worker": "no worker {value} has a proposal in this phase: ask one that the observation lists",
        "unknown_proposal": "no proposal {value}: name one that the observation lists",
        "inactive_proposal": "proposal {value} was withdrawn when its phase ended: name one that the observation lists",
        "already_resolved": "proposal {value} is already {status}: name one that is still unresolved",
        "invalid_rule": "no rule {value}: cite one of {known}",
        "rule_not_relevant": "rule {value} is not listed by proposal {proposal}: cite one of {known}",
        "invalid_hold_reason": "no hold reason {value}: give one of {known}",
    }
)

KINDS: Mapping[str, type[UserError]] = MappingProxyType(
    {"terminal": EpisodeOver, "no_evidence_actions": OutOfBudget, "no_review_budget": OutOfBudget}
)
"""Where a code hangs in the error tree; every other code is an InvalidArgument."""

ERROR_CODES: Mapping[str, type[UserError]] = MappingProxyType(
    {code: KINDS.get(code, InvalidArgument) for code in (*MESSAGES, "unknown_tool")}
)


def refuse(code: str, **details: Any) -> Refusal:
    """Return the refusal of a code; `details` fill its message and are already safe to show."""
    return Refusal(code, MESSAGES[code].format_map(details), ERROR_CODES[code])


def shown(value: object) -> str:
    """Return what the caller sent as at most 80 ASCII characters."""
    text = ascii(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
