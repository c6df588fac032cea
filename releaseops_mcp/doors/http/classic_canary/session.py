"""An environment behind a WebSocket, as the original's framework served it, over the arena's episodes.

After a drop, `reset` with the `episode_id` that `state` told resumes the episode as it stands; any other episode_id is
ignored, as the original ignored it.
"""

from typing import Any, cast

from pydantic import ValidationError

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.canonical import plain
from releaseops_mcp.doors.http.classic_canary import uninitialised
from releaseops_mcp.doors.http.classic_canary.episodes import state
from releaseops_mcp.doors.http.classic_canary.requests import DEFAULT_TASK, MAX_SEED
from releaseops_mcp.doors.http.classic_canary.stateless import task_of
from releaseops_mcp.doors.http.classics.bodies import mistakes
from releaseops_mcp.doors.http.classics.live import find, may_be_id
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.jsonrpc import answer_request
from releaseops_mcp.doors.http.websocket import InvalidFrame
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary import SUITE
from releaseops_mcp.episodes.classic_canary.contract import CanaryAction
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.episodes.classic_canary.tools import DECIDE
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.events import Origin


class CanarySession:
    """The environment of one socket."""

    def __init__(self, door: HttpDoor, origin: Origin) -> None:
        self._door = door
        self._origin = origin
        self._episode_id = ""
        self._asked: Json = {}

    def reset(self, data: Json) -> Json:
        """Begin an episode of a task (any unknown one is `easy`) and a seed, or resume one."""
        named = data.get("episode_id")
        if may_be_id(named):
            return self._door.look(lambda arena: self._resume(arena, cast("str", named)))
        asked: Any = data.get("task", DEFAULT_TASK)
        task, seed = task_of(asked), _seed(data.get("seed"))
        started = self._door.look(lambda arena: arena.start(scenario_id(task, seed), self._origin))
        self._episode_id = started.episode_id
        self._asked = {"defaulted_task": asked != task, "requested_task": plain(asked)}
        return {"observation": started.observation, "reward": 0.0, "done": False}

    def step(self, data: Json) -> Json:
        """Take a decision; before any reset the uninitialised observation, after the end the unchanged one."""
        if not self._episode_id:
            _check(data)
            return uninitialised.step_result()
        answer = self._door.look(lambda arena: self._call(arena, data))
        if answer.refusal is not None:
            _check(data)
            raise answer.refusal.kind(answer.refusal.message, code=answer.refusal.code)
        return {"observation": answer.observation, "reward": answer.earned.reward, "done": answer.done}

    def state(self) -> Json:
        """Return the state object."""
        if not self._episode_id:
            return uninitialised.state()
        return self._door.look(lambda arena: state(arena, self._episode_id)) | self._asked

    def mcp(self, data: Json) -> Json:
        """Answer a JSON-RPC request: this environment has no MCP tools."""
        return answer_request(data)

    def _resume(self, arena: Arena, episode_id: str) -> Json:
        row = find(arena, SUITE.name, episode_id)
        answer = arena.peek(row.id)
        self._episode_id = row.id
        self._asked = {"defaulted_task": False, "requested_task": row.family}
        return {"observation": answer.observation, "reward": 0.0, "done": answer.done}

    def _call(self, arena: Arena, action: Json) -> Answer:
        return arena.call(self._episode_id, DECIDE.name, action, self._origin)


def _seed(asked: Any) -> int:
    """Return a seed as the original read it, negative ones included; raises InvalidArgument."""
    try:
        seed = int(asked or 0)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"seed must be a whole number, not {ascii(asked)[:60]}") from None
    if abs(seed) > MAX_SEED:
        raise InvalidArgument("seed must have at most 18 digits")
    return seed


def _check(action: Json) -> None:
    """Raise InvalidFrame naming each mistake in an action, if it has any."""
    try:
        CanaryAction.model_validate(action)
    except ValidationError as error:
        raise InvalidFrame(*mistakes(error, "data")) from None
