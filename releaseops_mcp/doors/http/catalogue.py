"""What can be played: the suites, their scenarios and their tools."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Query
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp.arena.tools import LIST, agent_tools
from releaseops_mcp.doors.http import grading_models as shapes
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.listing import MAX_NUMBER
from releaseops_mcp.doors.http.origin import origin_of
from releaseops_mcp.doors.http.payloads import json_response
from releaseops_mcp.doors.http.routing import add_typed, answer, problems
from releaseops_mcp.episodes.base import Json, Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.rewards.registry import scorers

TAG = "catalogue"


def add_catalogue(app: FastAPI, door: HttpDoor) -> None:
    """Add the routes of the catalogue."""
    routes = _Routes(door)
    add_typed(app, "/suites", routes.suites, TAG, responses=answer(shapes.SuiteList))
    add_typed(app, "/tasks", routes.tasks, TAG, responses=answer(shapes.TaskList) | problems(401, 422))


class _Routes:
    def __init__(self, door: HttpDoor) -> None:
        self._door = door

    async def suites(self) -> Response:
        """Show the suites with their policies."""
        return json_response({"suites": [_shown(suite) for suite in suites().values()]})

    async def tasks(
        self,
        request: Request,
        suite: str = Query("", max_length=80, description="Only this suite."),
        split: str = Query("", max_length=80, description="A named list of the suite."),
        offset: int = Query(0, ge=0, le=MAX_NUMBER, description="How many to skip."),
    ) -> Response:
        """List the scenarios that can be started, a page at a time, with the tools to play them with."""
        origin = origin_of(request.headers)
        asked = {"suite": suite, "split": split, "offset": offset}
        reply = await self._door.in_thread(lambda: self._door.insist(LIST.name, asked, origin))
        assert reply.body is not None
        return json_response({**reply.body, "tools": _tools(suites(), suite)})


def _tools(known: Mapping[str, Suite], suite: str) -> list[Json]:
    chosen = [known[suite]] if suite else list(known.values())
    return [
        {"name": tool.name, "title": tool.title, "description": tool.description, "input_schema": tool.json_schema()}
        for tool in agent_tools(chosen)
    ]


def _shown(suite: Suite) -> Json:
    scorer = scorers()[suite.name]
    splits: Any = {name: len(ids) for name, ids in suite.splits().items()}
    return {
        "name": suite.name,
        "version": suite.version,
        "title": suite.title,
        "open_ids": suite.open_ids,
        "families": list(suite.families) if suite.open_ids else [],
        "splits": splits,
        "default_scenario": suite.default_scenario if suite.open_ids else None,
        "reward": f"{scorer.reward_id}@{scorer.version}",
        "policy": suite.policy,
    }
