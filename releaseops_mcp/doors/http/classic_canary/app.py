"""Assembles the app to be mounted: the framework's routes here, the original's own beside it."""

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp.doors.http.classic_canary import answers as shapes
from releaseops_mcp.doors.http.classic_canary import requests as bodies
from releaseops_mcp.doors.http.classic_canary import stateless, uninitialised
from releaseops_mcp.doors.http.classic_canary.catalogue import DESCRIPTION, NAME
from releaseops_mcp.doors.http.classic_canary.episode_routes import add_episodes
from releaseops_mcp.doors.http.classic_canary.grading_routes import add_grading
from releaseops_mcp.doors.http.classic_canary.session import CanarySession
from releaseops_mcp.doors.http.classics.openapi import answers, takes
from releaseops_mcp.doors.http.classics.openenv import complete, constant, environment_app
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.models import Health
from releaseops_mcp.doors.http.payloads import json_response, read_object
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.contract import CanaryAction, CanaryObservation

ABOUT: Json = {
    "name": NAME,
    "description": DESCRIPTION,
    "readme_content": None,
    "version": "1.0.0",
    "author": "ReleaseOps Arena contributors",
    "documentation_url": None,
}
SCHEMAS: Json = {
    "action": CanaryAction.model_json_schema(),
    "observation": CanaryObservation.model_json_schema(),
    "state": shapes.CanaryState.model_json_schema(),
}


def build(door: HttpDoor) -> FastAPI:
    """Return the app to be mounted at /classic-canary."""
    app, router = environment_app("Canary Release Env", DESCRIPTION)
    _add_stateless(router)
    add_episodes(router, door)
    add_grading(router, door)
    complete(app, router, door, CanarySession, ABOUT, SCHEMAS)
    return app


def _add_stateless(router: APIRouter) -> None:
    async def reset(request: Request) -> Response:
        """Show the first observation of a world; nothing is kept, so /episodes or /ws plays it."""
        return json_response(stateless.reset(await read_object(request)))

    async def step(request: Request) -> Response:
        """Check a decision and show the uninitialised observation: nothing was reset."""
        return json_response(stateless.step(await read_object(request)))

    async def state(request: Request) -> Response:
        """Show the state of an environment that was never reset."""
        return json_response(uninitialised.state())

    stepped = answers(shapes.StepResult, body=True)
    router.post("/reset", tags=["openenv"], responses=stepped, openapi_extra=takes(bodies.ResetBody))(reset)
    router.post("/step", tags=["openenv"], responses=stepped, openapi_extra=takes(bodies.StepBody, required=True))(step)
    router.get("/state", tags=["openenv"], responses=answers(shapes.CanaryState))(state)
    healthy = constant({"status": "healthy"})
    router.get("/health", tags=["openenv"], summary="Whether the server is up", responses=answers(Health))(healthy)
