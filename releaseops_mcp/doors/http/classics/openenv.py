"""What OpenEnv asks of every environment besides reset, step and state: who it is, its schemas, a JSON-RPC answer."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, FastAPI
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute

from releaseops_mcp.doors.http.classics.openapi import EVERYWHERE, answers
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.jsonrpc import answer_body
from releaseops_mcp.doors.http.models import Metadata, Schemas
from releaseops_mcp.doors.http.payloads import json_response
from releaseops_mcp.doors.http.problems import as_detail, install_problems
from releaseops_mcp.doors.http.routing import RawRoute
from releaseops_mcp.doors.http.websocket import SessionFactory, websocket_endpoint
from releaseops_mcp.episodes.base import Json

API_VERSION = "1.0.0"
"""OpenEnv's validator takes 1.x for its own profile."""


class State(BaseModel):
    """OpenEnv's state object; an environment adds fields of its own."""

    model_config = ConfigDict(extra="allow")

    episode_id: str
    """Of the episode; a fresh name that means nothing where none was begun."""
    step_count: int = Field(ge=0)


class RpcAnswer(BaseModel):
    """A JSON-RPC answer: `result` or `error`."""

    model_config = ConfigDict(extra="allow")

    jsonrpc: str
    id: str | int | None


def environment_app(title: str, description: str) -> tuple[FastAPI, APIRouter]:
    """Return an app to be mounted, whose errors look like the originals', and the router to fill before `complete`."""
    app = FastAPI(title=title, description=description, version=API_VERSION, responses=EVERYWHERE)
    install_problems(app, as_detail)
    return app, APIRouter(route_class=RawRoute)


def complete(app: FastAPI, router: APIRouter, door: HttpDoor, make: SessionFactory, about: Json, schemas: Json) -> None:
    """Add the routes that say what an environment is, its WebSocket, and those of its router."""
    router.get("/metadata", tags=["openenv"], summary="What this environment is", responses=answers(Metadata))(
        constant(about)
    )
    router.get("/schema", tags=["openenv"], summary="Its JSON schemas", responses=answers(Schemas))(constant(schemas))
    router.post("/mcp", tags=["openenv"], responses=answers(RpcAnswer, body=True), openapi_extra=_ANY_BODY)(mcp)
    app.include_router(router)
    app.router.routes.append(WebSocketRoute("/ws", websocket_endpoint(door, make)))


def constant(value: Json) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Return an endpoint that always answers the same."""
    response = json_response(value)

    async def endpoint(request: Request) -> Response:
        return response

    return endpoint


async def mcp(request: Request) -> Response:
    """Answer a JSON-RPC request as OpenEnv's server does for an environment without MCP tools."""
    return json_response(answer_body(await request.body()))


_ANY_BODY: dict[str, Any] = {"requestBody": {"required": False, "content": {"application/json": {"schema": {}}}}}
