"""The episodes as resources: begin one, make calls on it, look at it, read its transcript, list them all."""

from functools import partial

from fastapi import FastAPI, Query
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import StartedEpisode
from releaseops_mcp.arena.tools import EPISODE_ID, START
from releaseops_mcp.arena.transcripts import transcript
from releaseops_mcp.doors.http import episode_models as shapes
from releaseops_mcp.doors.http.choosing import chosen_scenario
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.finding import find_row
from releaseops_mcp.doors.http.listing import MAX_NUMBER, MAX_PAGE, PAGE, Listing, list_episodes
from releaseops_mcp.doors.http.models import CreateBody
from releaseops_mcp.doors.http.origin import origin_of
from releaseops_mcp.doors.http.payloads import given, json_response, parse_object, refuse_strangers
from releaseops_mcp.doors.http.problems import Problem, as_error, problem_response
from releaseops_mcp.doors.http.routing import add_raw, add_typed, answer, json_body, problems
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.events import Origin

TAG = "episodes"
EPISODE = "/episodes/{episode_id}"
CREATE_FIELDS = frozenset(CreateBody.model_fields)
CALL_FIELDS = frozenset(shapes.CallBody.model_fields)


def add_episodes(app: FastAPI, door: HttpDoor) -> None:
    """Add the routes of episodes."""
    routes = _Routes(door)
    add_raw(
        app,
        "POST",
        "/episodes",
        routes.create,
        TAG,
        status_code=201,
        responses=answer(StartedEpisode, 201) | problems(429, changing=True),
        openapi_extra=json_body(CreateBody),
    )
    add_raw(
        app,
        "POST",
        f"{EPISODE}/step",
        routes.step,
        TAG,
        responses=answer(shapes.CallResult) | problems(404, 409, changing=True),
        openapi_extra=json_body(shapes.CallBody, required=True),
    )
    add_typed(app, f"{EPISODE}/state", routes.state, TAG, responses=answer(shapes.Standing) | problems(404, 409))
    add_typed(
        app,
        f"{EPISODE}/transcript",
        routes.transcript,
        TAG,
        responses=answer(shapes.Transcript) | problems(404, 422),
    )
    add_typed(app, "/episodes", routes.list, TAG, responses=answer(shapes.EpisodeList) | problems(401, 422))


class _Routes:
    def __init__(self, door: HttpDoor) -> None:
        self._door = door

    async def create(self, request: Request) -> Response:
        """Begin an episode of a scenario, or of a suite's default one."""
        body = await request.body()
        return await self._door.in_thread(partial(self._create, body, origin_of(request.headers)))

    async def step(self, request: Request, episode_id: str) -> Response:
        """Make one tool call on an episode; a refused one has the status of its error, and is logged like any other."""
        body = await request.body()
        return await self._door.at_once(partial(self._step, episode_id, body, origin_of(request.headers)))

    async def state(self, episode_id: str) -> Response:
        """Show where an episode stands, unlogged; finished ones stay readable."""
        answered = await self._door.run(lambda arena: arena.peek(episode_id))
        shown = answered.public()
        del shown["result"]
        return json_response(shown)

    async def transcript(
        self, request: Request, episode_id: str, offset: int = Query(0, ge=0, le=1_000_000_000)
    ) -> Response:
        """Show the calls so far and their answers, a page at a time; at the end also the grading, where open."""

        def look(arena: Arena) -> Json:
            row = find_row(arena, episode_id)
            may = self._door.access.may_grade(request.headers, row.suite)
            return transcript(arena.store, row, offset, grading=may)

        return json_response(await self._door.run(look))

    async def list(
        self,
        request: Request,
        suite: str = Query("", max_length=80, description="Only this suite."),
        agent: str = Query("", max_length=200, description="Only this agent, or this client where none is named."),
        ended: bool | None = Query(None, description="Only those that are over, or only those that are not."),
        after: int = Query(0, ge=0, le=MAX_NUMBER, description="Only those with a higher number: the last one's."),
        limit: int = Query(PAGE, ge=1, le=MAX_PAGE, description="How many at most."),
    ) -> Response:
        """List episodes in order of their start, a page at a time, of the suites whose grading the caller may see."""
        chosen = Listing(agent, ended, after, limit)
        shown = self._door.access.listed_suites(request.headers, suite)
        return json_response(await self._door.run(lambda arena: list_episodes(arena.store, chosen, shown)))

    def _create(self, body: bytes, origin: Origin) -> Response:
        asked = given(parse_object(body))
        refuse_strangers(asked, CREATE_FIELDS)
        named = {key: asked[key] for key in ("agent", "model") if key in asked}
        scenario = self._door.look(lambda arena: chosen_scenario(arena, asked))
        begun = self._door.insist(START.name, {"scenario": scenario, **named}, origin)
        return json_response(begun.body, 201, {"location": f"/episodes/{begun.episode_id}/state"})

    def _step(self, episode_id: str, body: bytes, origin: Origin) -> Response:
        sent = given(parse_object(body))
        refuse_strangers(sent, CALL_FIELDS)
        tool, arguments = sent.pop("tool", None), sent.pop("arguments", {})
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            raise InvalidArgument("a call names a tool, and its arguments are an object: GET /tasks lists the tools")
        reply = self._door.invoke(tool, {**arguments, **sent, EPISODE_ID.name: episode_id}, origin)
        answered = reply.answer
        earned = {"reward": answered.earned.reward} if answered else {}
        if reply.body is not None:
            return json_response({**reply.body, **earned})
        problem = Problem.of_reply(reply)
        if answered is None:
            return problem_response(problem)
        stands = {"episode_id": answered.episode_id, "step": answered.step, "done": answered.done}
        return problem_response(problem, lambda shown: as_error(shown) | stands | earned)
