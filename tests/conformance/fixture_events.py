"""Keeps what was streamed, for the scenario that cuts a stream and asks for the rest of it (2025 protocol)."""

from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp_types import JSONRPCMessage


class Recorder(EventStore):
    """Every event of every stream, numbered from 0; an event without a message only marks where a stream began."""

    def __init__(self) -> None:
        self._events: list[tuple[str, JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        self._events.append((stream_id, message))
        return str(len(self._events) - 1)

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        last = int(last_event_id)
        stream_id = self._events[last][0]
        for number, (stream, message) in enumerate(self._events):
            if number > last and stream == stream_id and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream_id
