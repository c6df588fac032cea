"""The ways in which chat templates teach models to write tool calls, and how each is read.

A format is recognised by what its templates contain. Nothing is mended: what does not parse stays a call whose
arguments cannot be read, or text without a call.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, InvalidToolCall, ToolCall
from langchain_core.messages.tool import invalid_tool_call, tool_call

from graphs.models.calls import ORDER
from releaseops_mcp.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """One way to write tool calls."""

    name: str
    mark: str
    """What a template that teaches it contains."""
    find: Callable[[str], tuple[str, list[str]]]
    """From an answer to its text without the calls, and the JSON text of each call."""
    arguments: str = "arguments"
    """The key under which a call's JSON has its arguments."""


_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)


def _tagged(text: str) -> tuple[str, list[str]]:
    return _TAGGED.sub("", text).strip(), [found.strip() for found in _TAGGED.findall(text)]


def _listed(text: str) -> tuple[str, list[str]]:
    before, mark, after = text.partition("[TOOL_CALLS]")
    if not mark:
        return text.strip(), []
    try:
        calls: Any = json.loads(after)
    except ValueError:
        return before.strip(), [after.strip()]
    listed = cast("list[Any]", calls) if isinstance(calls, list) else [calls]
    return before.strip(), [json.dumps(call) for call in listed]


def _bare(text: str) -> tuple[str, list[str]]:
    body = text.strip().removeprefix("<|python_tag|>").strip()
    return ("", [body]) if body.startswith("{") else (text.strip(), [])


FORMATS = (
    ToolFormat("hermes", "<tool_call>", _tagged),
    ToolFormat("mistral", "[TOOL_CALLS]", _listed),
    ToolFormat("llama", '"parameters"', _bare, "parameters"),
)
"""The first whose mark a template contains is its: Qwen and Hermes write tags, Mistral a list, Llama bare JSON."""


def format_of(template: str) -> ToolFormat:
    """Return the format that a chat template teaches; raises InvalidArgument where it is none of ours."""
    for known in FORMATS:
        if known.mark in template:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise InvalidArgument(f"hf: the chat template writes tool calls in none of the known ways: {names}")


def read_answer(known: ToolFormat, text: str, prefix: str) -> AIMessage:
    """Return an answer as a message; its calls get ids that begin with `prefix`."""
    content, bodies = known.find(text)
    read, unread = list[ToolCall](), list[InvalidToolCall]()
    ids = [f"{prefix}_{number}" for number in range(len(bodies))]
    for call_id, body in zip(ids, bodies, strict=True):
        call = _call(known, body)
        if call is None:
            unread.append(invalid_tool_call(name=_name(body), args=body, id=call_id, error="not a tool call"))
        else:
            read.append(tool_call(name=call[0], args=call[1], id=call_id))
    metadata = {ORDER: ids, "text": text}
    return AIMessage(content, tool_calls=read, invalid_tool_calls=unread, response_metadata=metadata)


def _call(known: ToolFormat, body: str) -> tuple[str, dict[str, Any]] | None:
    try:
        parsed: Any = json.loads(body)
    except ValueError:
        return None
    call = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    name, arguments = call.get("name"), call.get(known.arguments, {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    return name, cast("dict[str, Any]", arguments)


UNNAMED = "unreadable_tool_call"


def _name(body: str) -> str:
    found = re.search(r'"name"\s*:\s*"([^"\\]{1,200})"', body)
    return found[1] if found else UNNAMED
