"""Judges the arguments of a decision, and words the refusal of bad ones: what is wrong, and what is allowed."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from releaseops_mcp.episodes.base import Refusal
from releaseops_mcp.episodes.classic_canary.contract import (
    ACTION_TYPES,
    MIN_REASONING_CHARS,
    STATE_LABELS,
    CanaryAction,
)
from releaseops_mcp.errors import InvalidArgument

ALLOWED: Mapping[str, str] = MappingProxyType(
    {
        "action_type": f"one of {', '.join(ACTION_TYPES)}",
        "reasoning": f"a string of at least {MIN_REASONING_CHARS} characters (valid Unicode)",
        "slo_breach_detected": "a boolean",
        "state_assessment": f"one of {', '.join(STATE_LABELS)}",
    }
)
"""What each advertised argument may be."""

MAX_ECHO_CHARS = 80
MAX_PROBLEMS = 8

_action = TypeAdapter(CanaryAction)


def judge(arguments: Any) -> CanaryAction | Refusal:
    """Return the decision that plain JSON data of any shape stands for, or why it stands for none."""
    try:
        return _action.validate_python(arguments)
    except ValidationError as error:
        return Refusal("invalid_argument", _message(error), InvalidArgument)


def _message(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False)
    named = dict.fromkeys(_problem(problem["loc"], problem["type"], problem["input"]) for problem in problems)
    shown = list(named)[:MAX_PROBLEMS]
    if len(named) > len(shown):
        shown.append(f"and {len(named) - len(shown)} more problems")
    return "; ".join(shown) + ". Nothing has changed: mend the arguments and call decide_rollout again."


def _problem(where: tuple[int | str, ...], kind: str, value: Any) -> str:
    if not where and kind == "string_unicode":
        return _unknown(value)
    if not where:
        return f"the arguments must be an object with the fields {', '.join(ALLOWED)}, not {_echo(value)}"
    name = str(where[0])
    if kind == "missing":
        return f"{name} is missing: give {ALLOWED[name]}"
    if name == "metadata":
        return "metadata must be an object with plain text keys"
    if name not in ALLOWED:
        return _unknown(name)
    return f"{name} must be {ALLOWED[name]}, not {_echo(value)}"


def _unknown(name: str) -> str:
    return f"{_echo(name)} is no argument: the arguments are {', '.join(ALLOWED)}"


def _echo(value: Any) -> str:
    """Return a value as short ASCII text; lone surrogates appear as escapes."""
    text = ascii(value[:MAX_ECHO_CHARS] if isinstance(value, str) else value)
    return text if len(text) <= MAX_ECHO_CHARS else f"{text[: MAX_ECHO_CHARS - 3]}..."
