"""`/mcp` at the root: the real MCP server of both protocol eras, inside the HTTP server.

OpenEnv's validator posts the literal body `{}` there and wants a JSON-RPC error with status 200, where the SDK says
400: a small shim answers that one body and hands everything else on untouched.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.jsonrpc import INVALID_REQUEST, rpc_error
from releaseops_mcp.doors.http.payloads import json_response
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.doors.mcp.serving import DEFAULT_HOST, PATH, transport_security

_PROBE = b"{}"


class McpEndpoint:
    """The ASGI app of one route; it serves while `running` is entered, as often as that may be."""

    def __init__(self, door: HttpDoor) -> None:
        self._door = door
        self._app: ASGIApp | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Run the SDK's session manager."""
        server = build_server(self._door.holder, None, "http")
        settings = self._door.settings
        self._app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            max_request_body_size=settings.max_body_bytes,
            transport_security=transport_security(DEFAULT_HOST, settings.reachable_as),
        )
        async with server.session_manager.run():
            yield
        self._app = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._app is not None, "the app's lifespan has not begun"
        if not _may_be_probe(scope):
            await self._app(scope, receive, send)
            return
        message = await receive()
        if message.get("body", b"").strip() == _PROBE and not message.get("more_body", False):
            said = "Invalid Request: a method is needed; this is an MCP server, and initialize is what it begins with"
            await json_response(rpc_error(INVALID_REQUEST, said))(scope, receive, send)
        else:
            await self._app(scope, _first(message, receive), send)


def _may_be_probe(scope: Scope) -> bool:
    length = Headers(scope=scope).get("content-length", "")
    return scope["method"] == "POST" and length.isdecimal() and len(_PROBE) <= int(length[:9]) <= 16


def _first(message: Message, receive: Receive) -> Receive:
    """Return a `receive` that begins with a message that was read already."""
    waiting = [message]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
