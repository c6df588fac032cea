"""Reads a decision from what a model wrote."""

import json
import re
from typing import Any, cast

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.contract import ACTION_TYPES, MIN_REASONING_CHARS, STATE_LABELS

MAX_REASONING_CHARS = 280

_WIDEST_BRACES = re.compile(r"\{.*\}", flags=re.DOTALL)


def read_decision(text: str, fallback: Json) -> Json:
    """Return the decision in a model's answer; raises ValueError saying what is wrong with it.

    The answer is JSON, or holds it between its first and its last brace. A reasoning that is too short for the
    contract is replaced by the fallback's: prose is never scored.
    """
    said = _object(text)
    flag = said.get("slo_breach_detected")
    if not isinstance(flag, bool):
        raise ValueError("slo_breach_detected is not a boolean")
    reasoning = said.get("reasoning")
    words = " ".join(reasoning.split())[:MAX_REASONING_CHARS] if isinstance(reasoning, str) else ""
    return {
        "action_type": _one_of(said, "action_type", ACTION_TYPES),
        "reasoning": words if len(words) >= MIN_REASONING_CHARS else fallback["reasoning"],
        "slo_breach_detected": flag,
        "state_assessment": _one_of(said, "state_assessment", STATE_LABELS),
    }


def _object(text: str) -> Json:
    try:
        value = _json(text)
    except ValueError:
        braces = _WIDEST_BRACES.search(text)
        if braces is None:
            raise ValueError("the answer holds no JSON object") from None
        value = _json(braces[0])
    if not isinstance(value, dict):
        raise ValueError("the answer is JSON but no object")
    return cast("Json", value)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the answer is not JSON: {error}") from None


def _one_of(said: Json, field: str, allowed: tuple[str, ...]) -> str:
    value = said.get(field)
    if value not in allowed:
        raise ValueError(f"{field} is not one of {', '.join(allowed)}")
    return value
