"""POST /reset and POST /step as the original served them: a new environment for each request, and nothing kept.

No episode_id is handed out, so nothing can be played on, and nothing is logged; /episodes and /ws are.
"""

from typing import Any

from releaseops_mcp.doors.http.classic_canary import uninitialised
from releaseops_mcp.doors.http.classic_canary.requests import DEFAULT_TASK, ResetBody, StepBody
from releaseops_mcp.doors.http.classics.bodies import validated
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.contract import CanaryAction
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.simulation import Simulation


def reset(body: Json) -> Json:
    """Return the first observation of a world; raises RequestValidationError for the seed."""
    asked = validated(ResetBody, body)
    world = Simulation.of(scenario_id(task_of(asked.task), asked.seed))
    return {"observation": world.first_observation, "reward": 0.0, "done": False}


def step(body: Json) -> Json:
    """Return what a valid decision comes to where nothing was reset; raises RequestValidationError for others."""
    validated(CanaryAction, validated(StepBody, body).action, "action")
    return uninitialised.step_result()


def task_of(asked: Any) -> str:
    """Return the task that a name means: itself, or `easy` for whatever is none."""
    return asked if isinstance(asked, str) and asked in TASKS else DEFAULT_TASK
