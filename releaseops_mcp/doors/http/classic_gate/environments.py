"""Reset, step, close and state of the original's environments: each a call or two on the arena.

The order of the checks is the original's. What is refused answers 400 with a short message; the penalty is logged and
shows in the next reward.
"""

from typing import Any, cast
from uuid import uuid4

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.doors.http.classic_gate.scenarios import scenario_of
from releaseops_mcp.doors.http.classic_gate.sessions import Sessions
from releaseops_mcp.doors.http.classics.live import call_live, find, find_live, unknown
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import UserError
from releaseops_mcp.events import Origin

SUITE = "classic-gate"


class Environments:
    """The environments of the mounted app. Its methods raise ReleaseOpsError, whose statuses are the originals'."""

    def __init__(self, limit: int) -> None:
        self.sessions = Sessions(limit)

    def reset(self, arena: Arena, keywords: Json, origin: Origin) -> Json:
        """Begin an environment; raises InvalidArgument for its keywords, and AtCapacity."""
        scenario = scenario_of(keywords)
        started = self.sessions.begin(arena, lambda: arena.start(scenario, origin))
        return {"env_id": started.episode_id, "observation": started.observation, "reward": 0.0, "done": False}

    def step(self, arena: Arena, body: Json, origin: Origin) -> Json:
        """Make one call; raises UserError for a call that is refused, and UnknownEpisode."""
        env_id, tool = _needed(body, "env_id"), _needed(body, "tool")
        arguments: Any = body.get("arguments", {})
        if not isinstance(arguments, dict):
            raise UserError("arguments must be an object")
        row = find(arena, SUITE, env_id)
        # A name that is no text names no tool: the arena says so, and logs it.
        named = tool if isinstance(tool, str) else ascii(tool)
        answer = call_live(arena, row, named, cast("Json", arguments), origin, body.get("action_id"))
        if answer.refusal is not None and answer.refusal.code == "terminal":
            raise unknown(env_id)
        if answer.refusal is not None:
            raise UserError(answer.refusal.message)
        if answer.done:
            self.sessions.end(row.id)
        return stepped(answer)

    def close(self, arena: Arena, body: Json, origin: Origin) -> Json:
        """Close an environment's record; raises UserError where none is named, and UnknownEpisode."""
        row = find_live(arena, SUITE, _needed(body, "env_id"))
        arena.finish(row.id, origin)
        self.sessions.end(row.id)
        return {"env_id": row.id, "closed": True}


def stepped(answer: Answer) -> Json:
    """Return what a call that was not refused came to."""
    return {
        "env_id": answer.episode_id,
        "result": answer.result,
        "observation": answer.observation,
        "reward": answer.earned.reward,
        "done": answer.done,
        "terminal_reason": answer.terminal_reason,
    }


def state(arena: Arena, env_id: str) -> Json:
    """Return the state of an environment, over or not; raises UnknownEpisode."""
    answer = arena.peek(find(arena, SUITE, env_id).id)
    return {
        "episode_id": answer.episode_id,
        "step_count": answer.step,
        "done": answer.done,
        "terminal_reason": answer.terminal_reason,
    }


def no_state() -> Json:
    """Return the state of an environment that was never reset."""
    return {"episode_id": str(uuid4()), "step_count": 0}


def _needed(body: Json, name: str) -> Any:
    value = body.get(name)
    if not value:
        raise UserError(f"{name} is missing: name one in the body")
    return value
