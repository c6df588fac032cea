"""The routes that show tasks and grade decisions: what a grader needs, and no running agent should see."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp.doors.http.classic_canary import answers as shapes
from releaseops_mcp.doors.http.classic_canary.baseline import baseline_answer
from releaseops_mcp.doors.http.classic_canary.catalogue import task_list
from releaseops_mcp.doors.http.classic_canary.graded import Grading
from releaseops_mcp.doors.http.classic_canary.grading import grade_one
from releaseops_mcp.doors.http.classic_canary.requests import GraderBody
from releaseops_mcp.doors.http.classics.bodies import validated
from releaseops_mcp.doors.http.classics.openapi import answers, takes
from releaseops_mcp.doors.http.classics.openenv import constant
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.payloads import json_response, read_object
from releaseops_mcp.episodes.classic_canary import SUITE


def add_grading(router: APIRouter, door: HttpDoor) -> None:
    """Add the routes."""
    access = door.access

    async def grader(request: Request) -> Response:
        """Grade one decision on the telemetry that the body names (the grader's token)."""
        access.require_grading(request.headers, SUITE.name)
        return json_response(grade_one(validated(GraderBody, await read_object(request))))

    async def baseline(request: Request) -> Response:
        """Show how the baseline does in every task at seed 0, decision by decision (the grader's token)."""
        access.require_grading(request.headers, SUITE.name)
        return json_response(await door.in_thread(baseline_answer))

    tasks = constant(task_list())
    router.get(
        "/tasks", tags=["tasks"], summary="The tasks and how they are graded", responses=answers(shapes.TaskList)
    )(tasks)
    graded = answers(Grading, 404, body=True)
    router.post("/grader", tags=["grading"], responses=graded, openapi_extra=takes(GraderBody, required=True))(grader)
    router.post("/baseline", tags=["grading"], responses=answers(shapes.BaselineAnswer))(baseline)
