"""One raw tool call in, one reply out: what every agents' door does with the name and arguments it was sent.

The doors pass on what they got; names, types and values are judged here and in the suites, so that the same mistake
gets the same reply through every door.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.arena.service import Arena
from releaseops_mcp.arena.tools import ACTION_ID, EPISODE_ID, EXPECTED_STEP, FINISH_EPISODE, LIST, OBSERVE, START
from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.errors import InvalidArgument, ReleaseOpsError, UnknownScenario
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


@dataclass(frozen=True, slots=True)
class _Call:
    """One raw call on its way; `raw` loses what has been read."""

    arena: Arena
    tool: str
    raw: Json
    origin: Origin
    shown: Collection[str]


def invoke(
    arena: Arena, tool: str, arguments: Mapping[str, Any], origin: Origin, *, shown: Collection[str] = ()
) -> Reply:
    """Make one raw call; never raises for anything that a caller may send, nor for a log out of order.

    `shown` names the suites whose scenarios this door lists and starts; empty for all.
    """
    raw = dict(arguments)
    episode_id = str(raw.get(EPISODE_ID.name, ""))
    try:
        handler = _HANDLERS.get(tool, _act)
        return handler(_Call(arena, tool, raw, origin, shown))
    except ReleaseOpsError as error:
        return Reply(None, error.text, type(error), episode_id)


def _list(call: _Call) -> Reply:
    _refuse_strangers(call, {parameter.name for parameter in LIST.parameters})
    return Reply(call.arena.tickets.listing(**call.raw, shown=call.shown).model_dump())


def _start(call: _Call) -> Reply:
    raw = call.raw
    _refuse_strangers(call, {parameter.name for parameter in START.parameters})
    if "scenario" not in raw:
        raise InvalidArgument("start_episode needs a scenario: list_scenarios shows what can be played")
    said = {key: raw[key] for key in ("agent", "model") if raw.get(key)}
    for key, value in said.items():
        if not isinstance(value, str):
            raise InvalidArgument(f"{key} must be a string")
    _refuse_hidden(call)
    named = Origin.model_validate(call.origin.model_dump() | said)
    started = call.arena.start(raw["scenario"], named, operator=False)
    return Reply(started.public(), episode_id=started.episode_id)


def _observe(call: _Call) -> Reply:
    episode_id = _episode(call)
    return _stranger(call, episode_id, {"offset"}) or _reply(
        call.arena.observe(episode_id, call.origin, offset=call.raw.get("offset", 0))
    )


def _finish(call: _Call) -> Reply:
    episode_id = _episode(call)
    return _stranger(call, episode_id, set()) or _reply(call.arena.finish(episode_id, call.origin))


def _act(call: _Call) -> Reply:
    episode_id = _episode(call)
    named = {
        "action_id": _given(call.raw.pop(ACTION_ID.name, None)),
        "expected_step": call.raw.pop(EXPECTED_STEP.name, None),
    }
    return _reply(call.arena.call(episode_id, call.tool, call.raw, call.origin, **named))


_HANDLERS: dict[str, Callable[[_Call], Reply]] = {
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


def _episode(call: _Call) -> Any:
    if EPISODE_ID.name not in call.raw:
        raise InvalidArgument(
            f"{ascii(call.tool)[:80]} needs an episode_id: start_episode begins an episode and returns one"
        )
    return call.raw.pop(EPISODE_ID.name)


def _given(value: Any) -> Any:
    """Return None for an empty string: clients that fill in defaults mean that they name nothing."""
    return None if value == "" else value


def _refuse_hidden(call: _Call) -> None:
    if not call.shown:
        return
    _, suite = call.arena.tickets.resolve(call.raw["scenario"], operator=False)
    if suite.name not in call.shown:
        raise UnknownScenario(
            f"scenarios of {suite.name} are not played here: list_scenarios shows those of {', '.join(call.shown)}"
        )


def _stranger(call: _Call, episode_id: str, known: set[str]) -> Reply | None:
    """Log and refuse a call with arguments that the tool does not have."""
    if not call.raw.keys() - known:
        return None
    refusal = Refusal("invalid_argument", _strangers(call, known), InvalidArgument)
    return _reply(call.arena.refuse(episode_id, call.tool, call.raw, refusal, call.origin))


def _refuse_strangers(call: _Call, known: set[str]) -> None:
    if call.raw.keys() - known:
        raise InvalidArgument(_strangers(call, known))


def _strangers(call: _Call, known: set[str]) -> str:
    strangers = ", ".join(ascii(name)[:40] for name in sorted(call.raw.keys() - known)[:5])
    takes = ", ".join(sorted(known)) or "nothing but episode_id"
    return f"{call.tool} has no argument {strangers}: it takes {takes}"
