"""What every request must pass before any route sees it: Host, Origin, token, and the limits on its body.

A page in a browser that was tricked by a rebound name sends another Host, one of another site another Origin: both are
refused, on WebSockets too. There is no CORS: no other site may read an answer.
"""

from collections.abc import Collection
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from releaseops_mcp.doors.http.access import Access
from releaseops_mcp.doors.http.problems import Problem, problem_response
from releaseops_mcp.doors.http.settings import HttpSettings
from releaseops_mcp.doors.mcp.serving import LOCAL_HOSTS

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
TOKEN_PATHS = ("/mcp", "/tasks")
"""Paths whose safe methods need the token too: MCP, and the list that may mint tickets."""

UNAUTHORIZED = Problem(
    401,
    "unauthorized",
    "a bearer token is needed here: send it as Authorization: Bearer TOKEN",
    {"www-authenticate": "Bearer"},
)


class Guard:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, settings: HttpSettings, access: Access) -> None:
        self._app = app
        self._access = access
        self._hosts = _hosts(settings.reachable_as)
        self._max_bytes = settings.max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        problem = self._refusal(scope)
        if problem is not None:
            await problem_response(problem)(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            await self._app(scope, self._limited(receive), send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Problem | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if _name(headers.get(b"host", b"")) not in self._hosts:
            return Problem(
                421,
                "misdirected_request",
                "this server does not go by that Host: whoever runs it names its hosts in RELEASEOPS_ALLOWED_HOSTS",
            )
        origin = headers.get(b"origin")
        if origin and _name(origin.partition(b"://")[2]) not in self._hosts:
            return Problem(403, "forbidden", "pages of that Origin may not call this server")
        if self._needs_token(scope) and not self._access.may_act(Headers(scope=scope)):
            return UNAUTHORIZED
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length[:20]) > self._max_bytes:
            return self._too_long()
        return None

    def _needs_token(self, scope: Scope) -> bool:
        return scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS or scope["path"] in TOKEN_PATHS

    def _too_long(self) -> Problem:
        return Problem(413, "content_too_large", f"a body may have {self._max_bytes:,} bytes at most: send less")

    def _limited(self, receive: Receive) -> Receive:
        """Return a `receive` that gives up on a body that is too long, declared or not."""
        received = 0

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise HTTPException(413, self._too_long().message)
            return message

        return limited


def _hosts(reachable_as: Collection[str]) -> frozenset[bytes]:
    """Return the names under which the server is let in; an IPv6 address stands in brackets, as in a Host header."""
    hosts = (*LOCAL_HOSTS, *reachable_as)
    return frozenset(
        _name((f"[{host}]" if host.count(":") > 1 and host[0] != "[" else host).encode()) for host in hosts
    )


@lru_cache(maxsize=256)
def _name(host: bytes) -> bytes:
    """Return a Host header's name, without its port, in lower case."""
    name, bracket, _ = host.lower().partition(b"]")
    return name + bracket if bracket else name.partition(b":")[0]
