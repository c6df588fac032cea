"""OpenEnv's WebSocket protocol: frames in, frames out, one at a time a socket, over whatever environment.

    in   {"type": "reset", "data": {...}}   {"type": "step", "data": {action}}   {"type": "state"}
         {"type": "mcp", "data": {JSON-RPC}}   {"type": "close"}
    out  {"type": "observation" | "state" | "mcp", "data": {...}}
         {"type": "error", "data": {"message", "code", ...}}

A session is named by its episode, not by its socket: after a drop, a new socket resumes it by `episode_id`.
"""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.origin import origin_of
from releaseops_mcp.doors.http.payloads import encode, parse
from releaseops_mcp.doors.http.problems import INTERNAL
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import AtCapacity, InvalidArgument, ReleaseOpsError
from releaseops_mcp.events import Origin

logger = logging.getLogger(__name__)

INVALID_JSON = "INVALID_JSON"
UNKNOWN_TYPE = "UNKNOWN_TYPE"
VALIDATION_ERROR = "VALIDATION_ERROR"
EXECUTION_ERROR = "EXECUTION_ERROR"
CAPACITY_REACHED = "CAPACITY_REACHED"


class Session(Protocol):
    """One environment behind one socket. Its methods run in a worker thread, never two at once.

    They raise InvalidFrame for data of a wrong shape, and ReleaseOpsError for what cannot be done.
    """

    def reset(self, data: Json) -> Json:
        """Begin or resume an episode; return `{"observation", "reward", "done"}`."""
        ...

    def step(self, data: Json) -> Json:
        """Make one action; return `{"observation", "reward", "done"}`."""
        ...

    def state(self) -> Json:
        """Return the state object."""
        ...

    def mcp(self, data: Json) -> Json:
        """Answer one JSON-RPC request."""
        ...


class InvalidFrame(Exception):
    """The data of a frame has a wrong shape; `errors` says where, one object a mistake."""

    def __init__(self, *errors: Json) -> None:
        super().__init__("Invalid message")
        self.errors = list(errors)


SessionFactory = Callable[[HttpDoor, Origin], Session]
"""Makes the session of one socket; the origin is who connected."""


def websocket_endpoint(door: HttpDoor, make: SessionFactory) -> Callable[[WebSocket], Awaitable[None]]:
    """Return the endpoint of a WebSocket route."""

    async def endpoint(websocket: WebSocket) -> None:
        await websocket.accept()
        if door.ws_sessions >= door.settings.max_ws_sessions:
            await _refuse(door, websocket)
            return
        door.ws_sessions += 1
        try:
            await _serve(door, websocket, make(door, origin_of(websocket.headers, "ws")))
        except WebSocketDisconnect:
            pass
        finally:
            door.ws_sessions -= 1

    return endpoint


def answer(session: Session, text: str | bytes) -> str | None:
    """Return the frame that answers a frame, whatever it is; None for `close`."""
    try:
        frame: Any = parse(text)
    except InvalidArgument as error:
        return _error(INVALID_JSON, f"Invalid JSON: {error.message}")
    if not isinstance(frame, dict):
        return _error(VALIDATION_ERROR, "Invalid message", errors=[_mistake((), "a frame is a JSON object")])
    return _answer_frame(session, cast("Json", frame))


def invalid_data(*where: str, message: str) -> InvalidFrame:
    """Return the exception for one mistake at one place in a frame's data."""
    return InvalidFrame(_mistake(("data", *where), message))


async def _serve(door: HttpDoor, websocket: WebSocket, session: Session) -> None:
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text") or message.get("bytes") or ""
        reply = await door.at_once(partial(answer, session, text))
        if reply is None:
            await websocket.close()
            return
        await websocket.send({"type": "websocket.send", "text": reply})


async def _refuse(door: HttpDoor, websocket: WebSocket) -> None:
    limit = door.settings.max_ws_sessions
    message = f"{limit} sessions are open, which is the limit here: close one, or try again later"
    active = {"active_sessions": door.ws_sessions, "max_sessions": limit}
    await websocket.send_text(_error(CAPACITY_REACHED, message, **active))
    await websocket.close(1000)


def _answer_frame(session: Session, frame: Json) -> str | None:
    kind: Any = frame.get("type")
    if kind == "close":
        return None
    try:
        if kind == "step":
            return _frame("observation", session.step(_data(frame)))
        if kind == "reset":
            return _frame("observation", session.reset(_data(frame, {})))
        if kind == "state":
            return _frame("state", session.state())
        if kind == "mcp":
            return _frame("mcp", session.mcp(_data(frame)))
    except InvalidFrame as error:
        return _error(VALIDATION_ERROR, str(error), errors=error.errors)
    except ReleaseOpsError as error:
        return _error(CAPACITY_REACHED if isinstance(error, AtCapacity) else EXECUTION_ERROR, error.text)
    except Exception:
        logger.exception("a WebSocket frame of type %r failed", kind)
        return _error(EXECUTION_ERROR, f"internal_error: {INTERNAL}")
    return _error(UNKNOWN_TYPE, f"Unknown message type: {ascii(kind)[:80]}")


def _data(frame: Json, default: Json | None = None) -> Json:
    data: Any = frame.get("data", default)
    if not isinstance(data, dict):
        raise invalid_data(message="an object is needed here")
    return cast("Json", data)


def _mistake(where: tuple[str, ...], message: str) -> Json:
    return {"type": "value_error", "loc": list(where), "msg": message}


def _frame(kind: str, data: Json) -> str:
    return f'{{"type":"{kind}","data":{encode(data)}}}'


def _error(code: str, message: str, **more: Any) -> str:
    return _frame("error", {"message": message, "code": code, **more})
