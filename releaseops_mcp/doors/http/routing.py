"""Routes that FastAPI documents and does not run through its models.

The arena judges what a body says, so nothing is gained by validating it first, and a hot route costs a third less.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from releaseops_mcp.doors.http.models import ProblemBody

Endpoint = Callable[..., Coroutine[Any, Any, Response]]


class RawRoute(APIRoute):
    """A route whose endpoint takes the request and returns the response; its OpenAPI comes from the decorator alone."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the endpoint, given its path's parameters as they stand."""
        endpoint = self.endpoint

        async def handle(request: Request) -> Response:
            return await endpoint(request, **request.path_params)

        return handle

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request without FastAPI's exit stacks, which no endpoint here needs."""
        if scope["method"] not in self.methods:
            await super().handle(scope, receive, send)
            return
        response = await self.endpoint(Request(scope, receive, send), **scope["path_params"])
        await response(scope, receive, send)


def add_raw(app: FastAPI, method: str, path: str, endpoint: Endpoint, tag: str, **documented: Any) -> None:
    """Add a route whose endpoint takes the request and the path's parameters."""
    app.router.add_api_route(path, endpoint, methods=[method], tags=[tag], route_class_override=RawRoute, **documented)


def add_typed(app: FastAPI, path: str, endpoint: Endpoint, tag: str, **documented: Any) -> None:
    """Add a GET route whose parameters FastAPI reads and checks."""
    app.router.add_api_route(path, endpoint, methods=["GET"], tags=[tag], **documented)


ALWAYS = (403, 421, 503)
"""Statuses that any route may answer: a page of another site, another Host, a log out of reach."""
CHANGING = (401, 413, 422)
"""Those of routes with a body: no token, a body that is too long, or does not fit."""

_SAID = {
    401: "A bearer token is needed: RELEASEOPS_TOKEN, or the grader's where grading is asked for.",
    403: "The Origin is of another site, or the grading of this suite is closed here.",
    404: "No such episode, or it was idle for too long and has expired.",
    409: "The episode has moved on, is over, or its budget is spent.",
    413: "The body is too long.",
    421: "The Host is not one of this server's.",
    422: "What was sent does not fit: the message says where.",
    429: "Too many episodes are open; Retry-After says when to try again.",
    503: "The log is out of reach, or the server failed on this request; Retry-After says when to try again.",
}


def problems(*statuses: int, changing: bool = False) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of a route's problems: the given ones, and those that it cannot help."""
    every = sorted({*statuses, *ALWAYS, *(CHANGING if changing else ())})
    return {status: {"model": ProblemBody, "description": _SAID[status]} for status in every}


def answer(model: type[BaseModel], status: int = 200) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of a route's answer, with the problems that no route can help."""
    return {status: {"model": model}} | problems()


def json_body(model: type[BaseModel], *, required: bool = False) -> dict[str, Any]:
    """Return the documentation of a request's body."""
    return {
        "requestBody": {"required": required, "content": {"application/json": {"schema": model.model_json_schema()}}}
    }
