"""OpenEnv's routes at the root: the unified environment, over plain HTTP and over a WebSocket."""

from functools import partial
from typing import Any, cast

from fastapi import FastAPI, Query
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute

from releaseops_mcp import __version__
from releaseops_mcp.doors.http import environment, models
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.environment import UnifiedSession, as_refusal
from releaseops_mcp.doors.http.origin import origin_of
from releaseops_mcp.doors.http.payloads import json_response, parse_object
from releaseops_mcp.doors.http.routing import add_raw, add_typed, answer, json_body, problems
from releaseops_mcp.doors.http.websocket import InvalidFrame, websocket_endpoint
from releaseops_mcp.doors.mcp import identity
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.events import Origin

TAG = "openenv"


def add_openenv(app: FastAPI, door: HttpDoor) -> None:
    """Add the routes, and the WebSocket /ws."""
    routes = _Routes(door)
    add_raw(app, "GET", "/health", routes.health, TAG, responses=answer(models.Health))
    add_raw(app, "GET", "/metadata", routes.metadata, TAG, responses=answer(models.Metadata))
    add_raw(app, "GET", "/schema", routes.schema, TAG, responses=answer(models.Schemas))
    add_raw(
        app,
        "POST",
        "/reset",
        routes.reset,
        TAG,
        responses=answer(models.ResetResult) | problems(404, 409, 429, changing=True),
        openapi_extra=json_body(models.ResetBody),
    )
    add_raw(
        app,
        "POST",
        "/step",
        routes.step,
        TAG,
        responses=answer(models.StepResult) | problems(404, 409, changing=True),
        openapi_extra=json_body(models.ActionBody, required=True),
    )
    add_typed(app, "/state", routes.state, TAG, responses=answer(models.State) | problems(404, 409, 422))
    app.router.routes.append(WebSocketRoute("/ws", websocket_endpoint(door, UnifiedSession)))


class _Routes:
    def __init__(self, door: HttpDoor) -> None:
        self._door = door

    async def health(self, request: Request) -> Response:
        """Say that the process serves."""
        return json_response({"status": "healthy"})

    async def metadata(self, request: Request) -> Response:
        """Say what this environment is."""
        return json_response(
            {
                "name": identity.NAME,
                "description": identity.DESCRIPTION,
                "version": __version__,
                "author": "ReleaseOps Arena contributors",
                "readme_content": None,
                "documentation_url": None,
            }
        )

    async def schema(self, request: Request) -> Response:
        """Show the JSON schemas of action, observation and state."""
        return json_response(
            {
                "action": models.Action.model_json_schema(),
                "observation": models.Observation.model_json_schema(mode="serialization"),
                "state": models.State.model_json_schema(mode="serialization"),
            }
        )

    async def reset(self, request: Request) -> Response:
        """Begin an episode, or resume one by its id; the observation holds the episode_id that every action names."""
        body = await request.body()
        return await self._door.in_thread(partial(self._reset, body, origin_of(request.headers)))

    async def step(self, request: Request) -> Response:
        """Make one tool call; without an episode_id nothing happens and the observation says so."""
        body = await request.body()
        return await self._door.at_once(partial(self._step, body, origin_of(request.headers)))

    async def state(
        self, episode_id: str = Query("", description="The episode; without it, the state of none.")
    ) -> Response:
        """Show where an episode stands, unlogged."""
        return json_response(await self._door.in_thread(partial(environment.state, self._door, episode_id)))

    def _reset(self, body: bytes, origin: Origin) -> Response:
        return json_response(environment.reset(self._door, parse_object(body), origin))

    def _step(self, body: bytes, origin: Origin) -> Response:
        action: Any = parse_object(body).get("action")
        if not isinstance(action, dict):
            raise InvalidArgument("action: an object is needed here, as GET /schema describes it")
        try:
            return json_response(environment.step(self._door, cast("dict[str, Any]", action), origin))
        except InvalidFrame as error:
            raise as_refusal(error) from None
