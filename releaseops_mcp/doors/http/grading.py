"""The graded oracle: the account of one episode, the scores of all, and what the baselines come to."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from fastapi import FastAPI, Query
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.account import account
from releaseops_mcp.doors.http import grading_models as shapes
from releaseops_mcp.doors.http.choosing import checked_seed, suite_named
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.finding import find_row
from releaseops_mcp.doors.http.listing import MAX_NUMBER, MAX_PAGE, PAGE, Listing, list_scores
from releaseops_mcp.doors.http.payloads import given, json_response, parse_object, refuse_strangers
from releaseops_mcp.doors.http.routing import add_raw, add_typed, answer, json_body, problems
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.log.logged import read_episode

TAG = "grading"
BASELINES = {"classic-gate": "rule", "classic-canary": "baseline"}
"""The supervisor that stands for a suite's baseline; elsewhere the first quick one that judges at all."""


def add_grading(app: FastAPI, door: HttpDoor) -> None:
    """Add the routes of grading."""
    routes = _Routes(door)
    add_raw(
        app,
        "POST",
        "/grader",
        routes.grader,
        TAG,
        responses=answer(shapes.Graded) | problems(404, changing=True),
        openapi_extra=json_body(shapes.GraderBody, required=True),
    )
    add_raw(
        app,
        "POST",
        "/baseline",
        routes.baseline,
        TAG,
        responses=answer(shapes.Baseline) | problems(429, changing=True),
        openapi_extra=json_body(shapes.BaselineBody),
    )
    add_typed(app, "/scores", routes.scores, TAG, responses=answer(shapes.ScoreList) | problems(401, 422))


class _Routes:
    def __init__(self, door: HttpDoor) -> None:
        self._door = door

    async def grader(self, request: Request) -> Response:
        """Account for an episode in full, running or over: every step with what it earned and why."""
        body = await request.body()
        return await self._door.run(partial(self._grade, request.headers, body))

    async def baseline(self, request: Request) -> Response:
        """Let each suite's baseline play one scenario of every family, logged, and return the figures."""
        body = await request.body()
        return await self._door.run(partial(self._baseline, request.headers, body))

    async def scores(
        self,
        request: Request,
        suite: str = Query("", max_length=80, description="Only this suite."),
        agent: str = Query("", max_length=200, description="Only this agent, or this client where none is named."),
        ended: bool | None = Query(None, description="Only those that are over, or only those that are not."),
        after: int = Query(0, ge=0, le=MAX_NUMBER, description="Only those with a higher number: the last one's."),
        limit: int = Query(PAGE, ge=1, le=MAX_PAGE, description="How many at most."),
    ) -> Response:
        """List the score that stands for each episode, a page at a time; one without a score has nulls."""
        shown = self._door.access.listed_suites(request.headers, suite)
        chosen = Listing(agent, ended, after, limit)
        return json_response(await self._door.run(lambda arena: list_scores(arena.store, chosen, shown)))

    def _grade(self, headers: Headers, body: bytes, arena: Arena) -> Response:
        self._door.access.require_grader_token(headers)
        sent = parse_object(body)
        refuse_strangers(sent, shapes.GraderBody.model_fields)
        if not isinstance(sent.get("episode_id"), str):
            raise InvalidArgument("the grader accounts for one episode: name it by its episode_id")
        row = find_row(arena, sent["episode_id"])
        self._door.access.require_grading(headers, row.suite)
        return json_response(account(read_episode(arena.store, row)).model_dump(mode="json"))

    def _baseline(self, headers: Headers, body: bytes, arena: Arena) -> Response:
        self._door.access.require_grader_token(headers)
        asked = given(parse_object(body))
        refuse_strangers(asked, shapes.BaselineBody.model_fields)
        seed = checked_seed(asked.get("seed", 0))
        if "suite" in asked:
            self._door.access.require_grading(headers, suite_named(asked["suite"]).name)
        names = (
            [asked["suite"]] if "suite" in asked else [n for n in suites() if self._door.access.may_grade(headers, n)]
        )
        return json_response({"suites": dict(_baselines(arena, names, seed))})


def _baselines(arena: Arena, names: list[str], seed: int) -> Iterator[tuple[str, Json]]:
    for name in names:
        agent = _baseline_of(name)
        if agent is not None:
            scenarios = suites()[name].grid(range(seed, seed + 1))
            yield name, _summary(agent, [play_episode(arena, agent, scenario) for scenario in scenarios])


def _baseline_of(suite: str) -> Supervisor | None:
    candidates = [each for each in supervisors_for(suite) if not each.slow]
    named = (each for each in candidates if each.name == BASELINES.get(suite))
    return next(named, next(iter(candidates), None))


def _summary(agent: Supervisor, played: list[Played]) -> Json:
    figures = [each.reward for each in played if each.reward is not None]
    shown: Any = [
        {
            "episode_id": each.episode_id,
            "scenario": each.scenario,
            "reward": each.reward,
            "steps": each.steps,
            "terminal_reason": each.terminal_reason,
        }
        for each in played
    ]
    average = round(sum(figures) / len(figures), 4) if figures else None
    return {"agent": agent.name, "average": average, "episodes": shown}
