"""Tool calls as a model made them, those included that LangChain cannot read.

Nothing is mended: arguments that are no JSON object become one object that no tool takes, so that the arena refuses,
logs and counts the call like any other mistake.
"""

import json
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage

UNPARSABLE = "unparsable_arguments"
"""The one argument of a call whose arguments are no JSON object: the text that stood in their place."""
ORDER = "tool_call_order"
"""Where an answer's metadata keeps the ids of all its calls, in the order in which they were made."""


@dataclass(frozen=True, slots=True)
class RawCall:
    """One tool call of an answer."""

    id: str
    name: str
    arguments: dict[str, Any]


def calls_of(message: AIMessage) -> list[RawCall]:
    """Return all tool calls of an answer, in order."""
    read = [RawCall(call["id"] or "", call["name"], call["args"]) for call in message.tool_calls]
    unread = [
        RawCall(call.get("id") or "", call.get("name") or "", {UNPARSABLE: call.get("args") or ""})
        for call in message.invalid_tool_calls
    ]
    order: list[str] = message.response_metadata.get(ORDER, [])
    places = {call_id: place for place, call_id in enumerate(order)}
    return sorted([*read, *unread], key=lambda call: places.get(call.id, len(places)))


def identify(calls: list[dict[str, Any]]) -> None:
    """Give raw calls without an id of their own one, since the answers to them are told apart by it."""
    seen: set[str] = set()
    for number, call in enumerate(calls):
        if not call.get("id") or call["id"] in seen:
            call["id"] = f"call_{number}"
        seen.add(call["id"])


def is_object(arguments: str) -> bool:
    """Return whether a call's arguments are the text of a JSON object."""
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False
