"""One raw tool call in, one reply out: what every agents' door does with the name and arguments it was sent.

The doors pass on what they got; names, types and values are judged here and in the suites, so that the same mistake
gets the same reply through every door.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.arena.service import Arena
from releaseops_mcp.arena.tools import ACTION_ID, EPISODE_ID, EXPECTED_STEP, FINISH_EPISODE, LIST, OBSERVE, START
from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.errors import InvalidArgument, ReleaseOpsError
from releaseops_mcp.events import Origin


@dataclass(frozen=True, slots=True)
class Reply:
    """What a door sends back."""

    body: Json | None
    """The answer, shaped as `tools.answer_model` says; None where the call was refused."""
    error: str | None = None
    """`code: message` of a refused call, complete in itself."""
    kind: type[ReleaseOpsError] = ReleaseOpsError
    """Where the error stands in the error tree."""
    episode_id: str = ""
    """The episode that was called, if any."""
    answer: Answer | None = None
    """The full answer on an episode, reward included, for doors that serve trainers."""


def invoke(arena: Arena, tool: str, arguments: Mapping[str, Any], origin: Origin) -> Reply:
    """Make one raw call; never raises for anything that a caller may send, nor for a log out of order."""
    raw = dict(arguments)
    episode_id = str(raw.get(EPISODE_ID.name, ""))
    try:
        handler = _HANDLERS.get(tool, _act)
        return handler(arena, tool, raw, origin)
    except ReleaseOpsError as error:
        return Reply(None, error.text, type(error), episode_id)


def _list(arena: Arena, tool: str, raw: Json, origin: Origin) -> Reply:
    _refuse_strangers(tool, raw, {parameter.name for parameter in LIST.parameters})
    return Reply(arena.tickets.listing(**raw).model_dump())


def _start(arena: Arena, tool: str, raw: Json, origin: Origin) -> Reply:
    _refuse_strangers(tool, raw, {parameter.name for parameter in START.parameters})
    if "scenario" not in raw:
        raise InvalidArgument("start_episode needs a scenario: list_scenarios shows what can be played")
    said = {key: raw[key] for key in ("agent", "model") if raw.get(key)}
    for key, value in said.items():
        if not isinstance(value, str):
            raise InvalidArgument(f"{key} must be a string")
    named = Origin.model_validate(origin.model_dump() | said)
    started = arena.start(raw["scenario"], named, operator=False)
    return Reply(started.public(), episode_id=started.episode_id)


def _observe(arena: Arena, tool: str, raw: Json, origin: Origin) -> Reply:
    episode_id = _episode(tool, raw)
    return _stranger(arena, episode_id, tool, raw, origin, {"offset"}) or _reply(
        arena.observe(episode_id, origin, offset=raw.get("offset", 0))
    )


def _finish(arena: Arena, tool: str, raw: Json, origin: Origin) -> Reply:
    episode_id = _episode(tool, raw)
    return _stranger(arena, episode_id, tool, raw, origin, set()) or _reply(arena.finish(episode_id, origin))


def _act(arena: Arena, tool: str, raw: Json, origin: Origin) -> Reply:
    episode_id = _episode(tool, raw)
    named = {
        "action_id": _given(raw.pop(ACTION_ID.name, None)),
        "expected_step": raw.pop(EXPECTED_STEP.name, None),
    }
    return _reply(arena.call(episode_id, tool, raw, origin, **named))


_HANDLERS: dict[str, Callable[[Arena, str, Json, Origin], Reply]] = {
    LIST.name: _list,
    START.name: _start,
    OBSERVE.name: _observe,
    FINISH_EPISODE.name: _finish,
}


def _reply(answer: Answer) -> Reply:
    refusal = answer.refusal
    if refusal is None:
        return Reply(answer.public(), episode_id=answer.episode_id, answer=answer)
    return Reply(None, f"{refusal.code}: {refusal.message}", refusal.kind, answer.episode_id, answer)


def _episode(tool: str, raw: Json) -> Any:
    if EPISODE_ID.name not in raw:
        raise InvalidArgument(
            f"{ascii(tool)[:80]} needs an episode_id: start_episode begins an episode and returns one"
        )
    return raw.pop(EPISODE_ID.name)


def _given(value: Any) -> Any:
    """Return None for an empty string: clients that fill in defaults mean that they name nothing."""
    return None if value == "" else value


def _stranger(arena: Arena, episode_id: str, tool: str, raw: Json, origin: Origin, known: set[str]) -> Reply | None:
    """Log and refuse a call with arguments that the tool does not have."""
    if not raw.keys() - known:
        return None
    refusal = Refusal("invalid_argument", _strangers(tool, raw, known), InvalidArgument)
    return _reply(arena.refuse(episode_id, tool, raw, refusal, origin))


def _refuse_strangers(tool: str, raw: Json, known: set[str]) -> None:
    if raw.keys() - known:
        raise InvalidArgument(_strangers(tool, raw, known))


def _strangers(tool: str, raw: Json, known: set[str]) -> str:
    strangers = ", ".join(ascii(name)[:40] for name in sorted(raw.keys() - known)[:5])
    takes = ", ".join(sorted(known)) or "nothing but episode_id"
    return f"{tool} has no argument {strangers}: it takes {takes}"
