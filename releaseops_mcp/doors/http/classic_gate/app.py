"""The routes of the mounted app: the original's, and those that OpenEnv needs to drive it."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp import __version__
from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.http.classic_gate import contract, environments
from releaseops_mcp.doors.http.classic_gate.environments import SUITE, Environments
from releaseops_mcp.doors.http.classic_gate.evaluation import MAX_LIMIT, Evaluation
from releaseops_mcp.doors.http.classic_gate.session import GateSession
from releaseops_mcp.doors.http.classics.live import find_live
from releaseops_mcp.doors.http.classics.openapi import answers, takes
from releaseops_mcp.doors.http.classics.openenv import complete, environment_app
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.origin import origin_of
from releaseops_mcp.doors.http.payloads import json_response, parse_object
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.events import Origin

TITLE = "ReleaseOps Arena Env"
DESCRIPTION = "Supervise a release: read what workers propose, and decide what ships before the deadline."
ABOUT: Json = {
    "name": SUITE,
    "description": DESCRIPTION,
    "readme_content": None,
    "version": __version__,
    "author": "ReleaseOps Arena contributors",
    "documentation_url": None,
}
SCHEMAS: Json = {
    "action": contract.GateAction.model_json_schema(),
    "observation": contract.WsObservation.model_json_schema(),
    "state": contract.GateState.model_json_schema(),
}

Act = Callable[[Arena, Json, Origin], Json]


class EvaluationStarted(BaseModel):
    """What was started."""

    message: str


def build(door: HttpDoor) -> FastAPI:
    """Return the app to be mounted at /classic-gate."""
    app, router = environment_app(TITLE, DESCRIPTION)
    served = Environments(door.settings.max_concurrent_envs)
    _add_environments(router, door, served)
    _add_looks(router, door, served)
    _add_evaluation(app, door)
    complete(app, router, door, GateSession, ABOUT, SCHEMAS)
    return app


def _add_environments(router: APIRouter, door: HttpDoor, served: Environments) -> None:
    async def act(request: Request, work: Act) -> Response:
        body, origin = await request.body(), origin_of(request.headers)
        return await door.run(lambda arena: json_response(work(arena, parse_object(body), origin)))

    async def reset(request: Request) -> Response:
        """Begin an environment; unknown keywords are ignored."""
        return await act(request, served.reset)

    async def step(request: Request) -> Response:
        """Make one tool call. Checked in this order: env_id, tool, arguments, the environment, the call itself."""
        return await act(request, served.step)

    async def close(request: Request) -> Response:
        """Close an environment for good."""
        return await act(request, served.close)

    routes = (
        ("/reset", reset, contract.ResetBody, contract.ResetAnswer, (429,)),
        ("/step", step, contract.StepBody, contract.StepAnswer, (400, 404, 409)),
        ("/close", close, contract.CloseBody, contract.CloseAnswer, (400, 404, 409)),
    )
    for path, endpoint, body, answer, refusals in routes:
        documented = answers(answer, *refusals, body=True)
        extra = takes(body, required=path != "/reset")
        router.post(path, tags=["environments"], responses=documented, openapi_extra=extra)(endpoint)


def _add_looks(router: APIRouter, door: HttpDoor, served: Environments) -> None:
    async def health(request: Request) -> Response:
        """Say that the server is up, and how many environments it holds open."""
        counts = {"active_sessions": len(served.sessions), "max_concurrent_envs": served.sessions.limit}
        return json_response({"ok": True, "status": "healthy", **counts})

    async def state(request: Request) -> Response:
        """Show the state of an environment; without an env_id, of one that was never reset."""
        env_id = request.query_params.get("env_id", "")
        if not env_id:
            return json_response(environments.no_state())
        return json_response(await door.run(lambda arena: _state(arena, env_id)))

    env_id: dict[str, Any] = {"name": "env_id", "in": "query", "required": False, "schema": {"type": "string"}}
    router.get("/health", tags=["openenv"], responses=answers(contract.GateHealth))(health)
    documented = answers(contract.GateState, 404, 409)
    router.get("/state", tags=["openenv"], responses=documented, openapi_extra={"parameters": [env_id]})(state)


def _state(arena: Arena, env_id: str) -> Json:
    find_live(arena, SUITE, env_id)
    return environments.state(arena, env_id)


def _add_evaluation(app: FastAPI, door: HttpDoor) -> None:
    evaluation = Evaluation(door)

    @app.post("/api/run-eval", tags=["evaluation"], responses=answers(EvaluationStarted, 422))
    async def run_eval(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = 3,
        model_id: Annotated[str, Query(max_length=200)] = "",
    ) -> Response:
        """Let the scripted baselines play a few rows of each slice, in the background (the grader's token)."""
        door.access.require_grading(request.headers, SUITE)
        return json_response({"message": evaluation.start(limit, model_id)})

    @app.get("/api/get-eval-results", tags=["evaluation"], responses=answers(None))
    async def get_eval_results() -> Response:
        """Show what the last evaluation came to."""
        return json_response(evaluation.results)
