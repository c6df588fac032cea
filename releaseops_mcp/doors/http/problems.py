"""How the HTTP door says that something went wrong: one table of statuses, one shape of body, never a trace.

Our own routes answer `{"error": {"code", "message"}}`; the mounted classics keep their originals' `{"detail": ...}`.
What nobody foresaw is logged and answered as 503 `internal_error`, so that no client ever meets a 500.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from releaseops_mcp.arena.dispatch import Reply
from releaseops_mcp.canonical import plain
from releaseops_mcp.doors.http.payloads import json_response
from releaseops_mcp.errors import ReleaseOpsError, presentation

logger = logging.getLogger(__name__)

INTERNAL = "the server failed on this request and has noted why; look at the episode's state, then go on"
RETRY_AFTER_SECONDS = {429: "5", 503: "1"}
"""Statuses after which trying again later makes sense, and when."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to tell a client instead of an answer."""

    status: int
    code: str
    """As in `errors.PRESENTATIONS`, a suite's own code, or a word for what only HTTP knows, such as `not_found`."""
    message: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    detail: Any = None
    """What FastAPI's own validation says, field by field; None elsewhere."""

    @classmethod
    def of(cls, error: ReleaseOpsError) -> "Problem":
        """Return how an error of the arena is shown."""
        return cls(_status(type(error)), error.code, error.message)

    @classmethod
    def of_reply(cls, reply: Reply) -> "Problem":
        """Return how a refused call is shown."""
        code, _, message = (reply.error or f"internal_error: {INTERNAL}").partition(": ")
        return cls(_status(reply.kind), code, message)


Render = Callable[[Problem], dict[str, Any]]
"""Gives a problem its body."""


def as_error(problem: Problem) -> dict[str, Any]:
    """Return the body of our own routes."""
    return {"error": {"code": problem.code, "message": problem.message}}


def as_detail(problem: Problem) -> dict[str, Any]:
    """Return the body of the originals' routes, which is FastAPI's."""
    return {"detail": problem.message if problem.detail is None else problem.detail}


def problem_response(problem: Problem, render: Render = as_error) -> Response:
    """Return the answer, with Retry-After where trying again later makes sense."""
    wait = RETRY_AFTER_SECONDS.get(problem.status)
    headers = dict(problem.headers) | ({"retry-after": wait} if wait else {})
    return json_response(render(problem), problem.status, headers)


def install_problems(app: FastAPI, render: Render = as_error) -> None:
    """Let an app, mounted or not, answer every error as this module says."""

    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, ReleaseOpsError)
        return problem_response(Problem.of(error), render)

    async def by_http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = HTTPStatus(error.status_code).name.lower()
        return problem_response(Problem(error.status_code, code, str(error.detail), error.headers or {}), render)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem_response(_invalid(error), render)

    app.add_exception_handler(ReleaseOpsError, refused)
    app.add_exception_handler(HTTPException, by_http)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_middleware(CatchAll, render=render)


class CatchAll:
    """Answers what no handler foresaw; the reason goes to the server's log alone."""

    def __init__(self, app: ASGIApp, render: Render = as_error) -> None:
        self._app = app
        self._render = render

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched if scope["type"] == "http" else send)
        except Exception:
            if scope["type"] != "http" or started:
                raise
            logger.exception("%s %s failed", scope["method"], scope["path"])
            await problem_response(Problem(503, "internal_error", INTERNAL), self._render)(scope, receive, send)


def _status(kind: type[ReleaseOpsError]) -> int:
    status = presentation(kind).http_status
    return 503 if status == 500 else status


def _invalid(error: RequestValidationError) -> Problem:
    """Return a readable message and FastAPI's list, made plain: what a client sent may not be JSON again."""
    errors = list(error.errors())
    message = "; ".join(f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in errors[:5])
    shown = [{key: each[key] for key in ("type", "loc", "msg", "input") if key in each} for each in errors]
    return Problem(422, "invalid_argument", message, detail=plain(shown))
