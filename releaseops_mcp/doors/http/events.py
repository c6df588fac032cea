"""The events of an episode: the log as it is, for graders, and the agent's side of it, from its harness."""

from functools import partial
from typing import Any, cast

from fastapi import FastAPI, Query
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.http import episode_models as shapes
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.finding import find_row
from releaseops_mcp.doors.http.listing import MAX_NUMBER, MAX_PAGE, PAGE
from releaseops_mcp.doors.http.payloads import json_response, parse_object, refuse_strangers
from releaseops_mcp.doors.http.routing import add_raw, add_typed, answer, json_body, problems
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.log.chain import check

TAG = "episodes"
EVENTS = "/episodes/{episode_id}/events"


def add_events(app: FastAPI, door: HttpDoor) -> None:
    """Add the routes of events."""
    routes = _Routes(door)
    add_typed(app, EVENTS, routes.list, TAG, responses=answer(shapes.EventList) | problems(401, 404, 422))
    add_raw(
        app,
        "POST",
        EVENTS,
        routes.record,
        TAG,
        status_code=201,
        responses=answer(shapes.Recorded, 201) | problems(404, 409, changing=True),
        openapi_extra=json_body(shapes.EventBody, required=True),
    )


class _Routes:
    def __init__(self, door: HttpDoor) -> None:
        self._door = door

    async def list(
        self,
        request: Request,
        episode_id: str,
        after: int = Query(-1, ge=-1, le=MAX_NUMBER, description="Only events with a higher number: the last one's."),
        limit: int = Query(PAGE, ge=1, le=MAX_PAGE, description="How many at most."),
    ) -> Response:
        """Show an episode's events with their hashes, a page at a time: for those who may see its grading."""
        return json_response(
            await self._door.run(lambda arena: self._page(arena, request.headers, episode_id, after, limit))
        )

    async def record(self, request: Request, episode_id: str) -> Response:
        """Add a `message` or a `model_call` of the agent's side to the log, until ten minutes after the end."""
        body = await request.body()
        return await self._door.run(partial(self._record, request.headers, episode_id, body))

    def _page(self, arena: Arena, headers: Headers, episode_id: str, after: int, limit: int) -> Json:
        self._door.access.require_grader_token(headers)
        row = find_row(arena, episode_id)
        self._door.access.require_grading(headers, row.suite)
        row, links = arena.store.chain(row.number)
        events = list(check(row.id, links, count=row.count, head=row.head))[after + 1 :]
        more = len(events) > limit
        return {
            "episode_id": row.id,
            "count": row.count,
            "head": row.head,
            "events": [event._asdict() for event in events[:limit]],
            "next_after": after + limit if more else None,
        }

    def _record(self, headers: Headers, episode_id: str, body: bytes, arena: Arena) -> Response:
        self._door.access.require_grader_token(headers)
        row = find_row(arena, episode_id)
        self._door.access.require_grading(headers, row.suite)
        sent = parse_object(body)
        refuse_strangers(sent, shapes.EventBody.model_fields)
        kind: Any = sent.get("kind")
        data: Any = sent.get("data")
        if not isinstance(kind, str) or not isinstance(data, dict):
            raise InvalidArgument("an event has a kind, message or model_call, and data, an object")
        arena.record(row.id, kind, cast("Json", data))
        return json_response({"episode_id": row.id, "recorded": kind}, 201)
