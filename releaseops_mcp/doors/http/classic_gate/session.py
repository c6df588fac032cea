"""An environment behind a WebSocket: OpenEnv's frames around the same calls on the arena.

After a drop, `reset` with the `episode_id` that `state` told (an `env_id`) resumes the episode as it stands; any other
episode_id is ignored, as OpenEnv's own server ignores it. A refused call is an error frame; its price shows in the
next reward.
"""

from typing import cast

from pydantic import ValidationError

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.doors.http.classic_gate.contract import GateAction
from releaseops_mcp.doors.http.classic_gate.environments import SUITE, no_state, state
from releaseops_mcp.doors.http.classic_gate.scenarios import scenario_of
from releaseops_mcp.doors.http.classics.bodies import mistakes
from releaseops_mcp.doors.http.classics.live import find, may_be_id
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.jsonrpc import answer_request
from releaseops_mcp.doors.http.websocket import InvalidFrame
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.events import Origin


class GateSession:
    """The environment of one socket."""

    def __init__(self, door: HttpDoor, origin: Origin) -> None:
        self._door = door
        self._origin = origin
        self._env_id = ""

    def reset(self, data: Json) -> Json:
        """Begin an episode by the original's keywords, or resume one."""
        named = data.get("episode_id")
        if may_be_id(named):
            return self._door.look(lambda arena: self._resume(arena, cast("str", named)))
        scenario = scenario_of(data)
        started = self._door.look(lambda arena: arena.start(scenario, self._origin))
        self._env_id = started.episode_id
        return _shown(self._env_id, started.observation)

    def step(self, data: Json) -> Json:
        """Make one call; before any reset there is nothing to call, and nothing is shown."""
        action = _action(data)
        if not self._env_id:
            return _shown(None, {}, done=True)
        answer = self._door.look(lambda arena: self._call(arena, action))
        if answer.refusal is not None:
            raise answer.refusal.kind(answer.refusal.message, code=answer.refusal.code)
        return _seen(answer, answer.earned.reward)

    def state(self) -> Json:
        """Return the state object."""
        return self._door.look(lambda arena: state(arena, self._env_id)) if self._env_id else no_state()

    def mcp(self, data: Json) -> Json:
        """Answer a JSON-RPC request: this environment has no MCP tools."""
        return answer_request(data)

    def _resume(self, arena: Arena, env_id: str) -> Json:
        answer = arena.peek(find(arena, SUITE, env_id).id)
        score, _ = arena.report(env_id)
        self._env_id = env_id
        return _seen(answer, score.total)

    def _call(self, arena: Arena, action: GateAction) -> Answer:
        named = action.action_id or None
        return arena.call(self._env_id, action.tool, action.arguments, self._origin, action_id=named)


def _action(data: Json) -> GateAction:
    try:
        return GateAction.model_validate(data)
    except ValidationError as error:
        raise InvalidFrame(*mistakes(error, "data")) from None


def _seen(answer: Answer, reward: float) -> Json:
    return _shown(
        answer.episode_id,
        answer.observation,
        result=answer.result,
        reward=reward,
        done=answer.done,
        terminal_reason=answer.terminal_reason,
    )


def _shown(
    env_id: str | None,
    observation: Json,
    *,
    result: Json | None = None,
    reward: float = 0.0,
    done: bool = False,
    terminal_reason: str | None = None,
) -> Json:
    """Return an observation frame's data: the original's client fields, with reward and done lifted out."""
    shown = {"env_id": env_id, "observation": observation, "result": result, "terminal_reason": terminal_reason}
    return {"observation": shown, "reward": reward, "done": done}
