"""What the nodes share: their type, the calls of a message, and the record of what was said."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, SystemMessage, ToolCall, ToolMessage

from graphs.bridge import ArenaSession
from graphs.models.calls import calls_of as raw_calls_of

Update = dict[str, Any]
"""The part of the state that a node changes."""
Node = Callable[..., Awaitable[Update]]
"""Takes the state, and where it asks a model the run's configuration."""


def last_answer(messages: Sequence[AnyMessage]) -> AIMessage | None:
    """Return the last message of a model."""
    return next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)


def calls_of(message: AIMessage | None) -> list[ToolCall]:
    """Return the tool calls of a message in the model's order, the unreadable ones too (see `graphs.models.calls`)."""
    found = raw_calls_of(message) if message is not None else []
    return [ToolCall(name=call.name, args=call.arguments, id=call.id, type="tool_call") for call in found]


def answers_since(messages: Sequence[AnyMessage]) -> list[ToolMessage]:
    """Return the tools' answers to the last message of a model."""
    found: list[ToolMessage] = []
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            break
        if isinstance(message, ToolMessage):
            found.append(message)
    return found[::-1]


async def record(session: ArenaSession, episode_id: str, messages: Iterable[BaseMessage]) -> None:
    """Log messages of the agent's side; a node that is run again after a crash logs its messages again."""
    for message in messages:
        body: dict[str, Any] = {"role": _role(message), "content": message.text}
        if isinstance(message, AIMessage):
            body["tool_calls"] = [
                {"id": call["id"] or "", "name": call["name"], "arguments": call["args"]} for call in calls_of(message)
            ]
        elif isinstance(message, ToolMessage):
            body["tool_call_id"] = message.tool_call_id
        await session.record(episode_id, "message", body)


def _role(message: BaseMessage) -> str:
    roles = ((AIMessage, "assistant"), (ToolMessage, "tool"), (SystemMessage, "system"))
    return next((role for kind, role in roles if isinstance(message, kind)), "user")
