"""The routes under /episodes."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp.doors.http.classic_canary import answers as shapes
from releaseops_mcp.doors.http.classic_canary.episodes import Episodes
from releaseops_mcp.doors.http.classic_canary.graded import EpisodeResult
from releaseops_mcp.doors.http.classic_canary.requests import EpisodeBody, EpisodeStepBody
from releaseops_mcp.doors.http.classics.bodies import validated
from releaseops_mcp.doors.http.classics.openapi import answers, takes
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.origin import origin_of
from releaseops_mcp.doors.http.payloads import json_response, parse_object, read_object
from releaseops_mcp.episodes.classic_canary import SUITE


def add_episodes(router: APIRouter, door: HttpDoor) -> None:
    """Add the routes."""
    routes = _Routes(door)
    router.post(
        "/episodes",
        tags=["episodes"],
        responses=answers(shapes.Begun, 429, body=True),
        openapi_extra=takes(EpisodeBody),
    )(routes.begin)
    router.post(
        "/episodes/{episode_id}/step",
        tags=["episodes"],
        responses=answers(shapes.Stepped, 404, 409, body=True),
        openapi_extra=takes(EpisodeStepBody, required=True),
    )(routes.step)
    for name, endpoint, model in (
        ("state", routes.state, shapes.CanaryState),
        ("transcript", routes.transcript, EpisodeResult),
    ):
        path = f"/episodes/{{episode_id}}/{name}"
        router.get(path, tags=["episodes"], responses=answers(model, 404, 409))(endpoint)


class _Routes:
    def __init__(self, door: HttpDoor) -> None:
        self._door = door
        self._episodes = Episodes(door.settings.max_completed_episodes)

    async def begin(self, request: Request) -> Response:
        """Begin an episode of a task and a seed."""
        asked = validated(EpisodeBody, await read_object(request))
        origin = origin_of(request.headers)
        return json_response(await self._door.run(lambda arena: self._episodes.begin(arena, asked, origin)))

    async def step(self, request: Request, episode_id: str) -> Response:
        """Take a decision; the grading of it is null without the grader's token, where the server has one."""
        body = await request.body()
        origin = origin_of(request.headers)
        graded = self._door.access.may_grade(request.headers, SUITE.name)

        def work() -> Response:
            asked = validated(EpisodeStepBody, parse_object(body))
            return json_response(
                self._door.look(lambda arena: self._episodes.step(arena, episode_id, asked, origin, graded=graded))
            )

        return await self._door.in_thread(work)

    async def state(self, request: Request, episode_id: str) -> Response:
        """Show the state of an episode that is not over."""
        return json_response(await self._door.run(lambda arena: self._episodes.state(arena, episode_id)))

    async def transcript(self, request: Request, episode_id: str) -> Response:
        """Show the full account of an episode as it stands, grading included (the grader's token)."""
        self._door.access.require_grading(request.headers, SUITE.name)
        return json_response(await self._door.run(lambda arena: self._episodes.transcript(arena, episode_id)))
