"""The unified environment: OpenEnv's reset, step and state over every suite, for plain HTTP and for WebSockets.

An observation is what the arena's tools answer (episode, step, result, the release as it stands) plus `error`: a
refused call is an observation too, since it may have cost something and a trainer must see that. What could not be
called at all (an unknown episode, a full arena, a malformed action) raises.
"""

from typing import Any, cast

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.arena.dispatch import Reply
from releaseops_mcp.arena.tools import ACTION_ID, EPISODE_ID, EXPECTED_STEP, START
from releaseops_mcp.doors.http.choosing import CHOICES, chosen_scenario
from releaseops_mcp.doors.http.door import HttpDoor, refusal_of
from releaseops_mcp.doors.http.jsonrpc import answer_request
from releaseops_mcp.doors.http.payloads import given
from releaseops_mcp.doors.http.websocket import InvalidFrame, invalid_data
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import is_open
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.events import Origin

RESET_FIELDS = (*CHOICES, EPISODE_ID.name, "agent", "model")
ACTION_FIELDS = ("tool", "arguments", EPISODE_ID.name, ACTION_ID.name, EXPECTED_STEP.name, "metadata")
UNINITIALISED_TEXT = "uninitialised: no episode is named: reset begins one, and its episode_id goes with every action"


def reset(door: HttpDoor, body: Json, origin: Origin) -> Json:
    """Begin the episode that a body asks for, or resume the one that it names; raises ReleaseOpsError."""
    asked = given(body)
    ignored = sorted(asked.keys() - set(RESET_FIELDS))
    if EPISODE_ID.name in asked:
        clash = sorted(asked.keys() & set(CHOICES))
        if clash:
            raise InvalidArgument(f"episode_id resumes an episode as it is: leave out {', '.join(clash)}")
        observed = door.look(lambda arena: _resumed(arena, asked[EPISODE_ID.name]))
    else:
        named = {key: asked[key] for key in ("agent", "model") if key in asked}
        scenario = door.look(lambda arena: chosen_scenario(arena, asked))
        observed = _begun(door.insist(START.name, {"scenario": scenario, **named}, origin))
    return _step_result(observed, 0.0) | {"ignored": ignored}


def step(door: HttpDoor, action: Json, origin: Origin, episode_id: str = "") -> Json:
    """Make one action on the episode that it names, or on `episode_id`; raises InvalidFrame and ReleaseOpsError."""
    tool, arguments = _checked(action)
    raw = dict(arguments)
    for key in (EPISODE_ID.name, ACTION_ID.name, EXPECTED_STEP.name):
        if action.get(key) is not None:
            raw[key] = action[key]
    if not raw.setdefault(EPISODE_ID.name, episode_id):
        return uninitialised()
    reply = door.invoke(tool, raw, origin)
    if reply.answer is None:
        raise refusal_of(reply)
    return _step_result(reply.answer.public() | {"error": reply.error}, reply.answer.earned.reward)


def state(door: HttpDoor, episode_id: str) -> Json:
    """Return OpenEnv's state object, unlogged, of an episode or of none; raises ReleaseOpsError."""
    if not episode_id:
        seen = uninitialised()["observation"]
        return {"episode_id": None, "step_count": 0, "done": True, "terminal_reason": None, "observation": seen}
    answer = door.look(lambda arena: arena.peek(episode_id))
    return {
        "episode_id": answer.episode_id,
        "step_count": answer.step,
        "done": answer.done,
        "terminal_reason": answer.terminal_reason,
        "observation": answer.observation,
    }


def uninitialised() -> Json:
    """Return what an action comes to where no episode is named."""
    nothing = Answer("", "", 0, None, None, {}, done=True, terminal_reason=None)
    return _step_result(nothing.public() | {"episode_id": None, "error": UNINITIALISED_TEXT}, 0.0)


class UnifiedSession:
    """The unified environment behind one socket: an action that names no episode goes to that of the last reset."""

    def __init__(self, door: HttpDoor, origin: Origin) -> None:
        self._door = door
        self._origin = origin
        self._episode_id = ""

    def reset(self, data: Json) -> Json:
        """Begin or resume an episode."""
        begun = reset(self._door, data, self._origin)
        self._episode_id = begun["observation"][EPISODE_ID.name]
        return begun

    def step(self, data: Json) -> Json:
        """Make one action."""
        return step(self._door, data, self._origin, self._episode_id)

    def state(self) -> Json:
        """Return the state of the episode of the last reset."""
        return state(self._door, self._episode_id)

    def mcp(self, data: Json) -> Json:
        """Refuse: MCP is spoken at POST /mcp."""
        return answer_request(data)


def _begun(reply: Reply) -> Json:
    assert reply.body is not None
    return reply.body | {"result": None, "error": None}


def _resumed(arena: Arena, episode_id: Any) -> Json:
    answer = arena.peek(episode_id)
    row = arena.store.episode(episode_id)
    assert row is not None
    named = {"scenario": row.scenario if is_open(row.suite) else None, "suite": row.suite}
    return answer.public() | named | {"error": None}


def _step_result(observed: Json, reward: float) -> Json:
    return {"observation": observed, "reward": reward, "done": observed["done"]}


def _checked(action: Json) -> tuple[str, Json]:
    """Return tool and arguments of an action; raises InvalidFrame."""
    strangers = sorted(action.keys() - set(ACTION_FIELDS))
    if strangers:
        takes = ", ".join(ACTION_FIELDS)
        raise invalid_data(strangers[0][:40], message=f"an action has no such field: it takes {takes}")
    tool: Any = action.get("tool")
    arguments: Any = action.get("arguments")
    if not isinstance(tool, str):
        raise invalid_data("tool", message="an action names a tool: one of those that GET /tasks lists")
    if not isinstance(arguments, dict | None):
        raise invalid_data("arguments", message="arguments are an object")
    return tool, cast("Json", arguments) or {}


def as_refusal(frame: InvalidFrame) -> InvalidArgument:
    """Return the mistakes of an action as plain HTTP shows them."""
    return InvalidArgument("; ".join(f"{'.'.join(each['loc'][1:])}: {each['msg']}" for each in frame.errors))
