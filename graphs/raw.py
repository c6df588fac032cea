"""Tool calls as the model sent them: LangChain mends half-finished JSON in streamed arguments, and this undoes it.

A model is judged by what it said. Arguments that are no JSON object stay an invalid tool call, streamed or not.
"""

import json
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, AIMessageChunk, InvalidToolCall, ToolCall
from langchain_core.outputs import ChatGenerationChunk


class AsStreamed(AsyncCallbackHandler):
    """Watches one model call and keeps what was streamed."""

    def __init__(self) -> None:
        self._whole: AIMessageChunk | None = None

    async def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
        """Begin anew: what an earlier attempt has streamed does not count."""
        self._whole = None

    async def on_llm_new_token(self, token: Any, *, chunk: Any = None, **kwargs: Any) -> None:
        """Add a piece."""
        if isinstance(chunk, ChatGenerationChunk) and isinstance(chunk.message, AIMessageChunk):
            self._whole = chunk.message if self._whole is None else self._whole + chunk.message

    def unmended(self, answer: AIMessage) -> AIMessage:
        """Return the answer with its tool calls as they were streamed; as it is where nothing was."""
        if self._whole is None or not self._whole.tool_call_chunks:
            return answer
        calls: list[ToolCall] = []
        broken: list[InvalidToolCall] = []
        for chunk in self._whole.tool_call_chunks:
            name, text, call_id = chunk["name"] or "", chunk["args"] or "{}", chunk["id"]
            arguments = _object(text)
            if arguments is None:
                broken.append(
                    InvalidToolCall(name=name, args=text, id=call_id, error="no JSON object", type="invalid_tool_call")
                )
            else:
                calls.append(ToolCall(name=name, args=arguments, id=call_id, type="tool_call"))
        return answer.model_copy(update={"tool_calls": calls, "invalid_tool_calls": broken})


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
