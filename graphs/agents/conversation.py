"""A supervisor's conversation with its model, recorded message for message as it grows."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from graphs.models.calls import calls_of
from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Record

MAX_CHARS = canonical.MAX_STRING_CHARS
"""The log takes no longer text: the rest of a longer message is replaced by its hash in the record."""
ROLES: Mapping[type[BaseMessage], str] = {
    SystemMessage: "system",
    HumanMessage: "user",
    AIMessage: "assistant",
    ToolMessage: "tool",
}


class Conversation:
    """The messages so far."""

    def __init__(self, record: Record, messages: Sequence[BaseMessage]) -> None:
        self.messages: list[BaseMessage] = []
        self._record = record
        self.add(*messages)

    def add(self, *messages: BaseMessage) -> None:
        """Take in messages."""
        for message in messages:
            self.messages.append(message)
            self._record("message", recorded(message))


def recorded(message: BaseMessage) -> dict[str, Any]:
    """Return a message as the log keeps it (see `events.Message`)."""
    body: dict[str, Any] = {"role": ROLES[type(message)], "content": _fitting(str(message.text))}
    if isinstance(message, AIMessage):
        body["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": canonical.plain(call.arguments)}
            for call in calls_of(message)
        ]
    if isinstance(message, ToolMessage):
        body["tool_call_id"] = message.tool_call_id
    return body


def _fitting(text: str) -> str:
    if len(text) <= MAX_CHARS:
        return text
    rest = f"... ({len(text)} characters, sha256 {canonical.digest(text)})"
    return text[: MAX_CHARS - len(rest)] + rest
