"""How one call on a play becomes an answer and the events that log it."""

from collections.abc import Mapping
from typing import Any

from releaseops_mcp.arena.answers import Answer, cut
from releaseops_mcp.arena.limits import Sources
from releaseops_mcp.arena.play import Play, fingerprint
from releaseops_mcp.audit.rescore import score_draft
from releaseops_mcp.canonical import Encoded
from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.errors import Conflict, InvalidArgument
from releaseops_mcp.events import EpisodeEnd, Origin, ToolCall, ToolResult
from releaseops_mcp.log.rows import Append

MAX_TOOL_CHARS = 200
"""A longer tool name is cut; no tool has one."""


def tool_call(play: Play, tool: str, arguments: Any, origin: Origin, **named: Any) -> ToolCall:
    """Return the event of a call; its caller is noted where that is not who started the episode."""
    caller = origin.caller
    foreign = {key: value for key, value in caller.items() if value} if caller != play.origin.caller else None
    named = {"action_id": None, "expected_step": None, "traceparent": origin.traceparent} | named
    return ToolCall(tool=tool[:MAX_TOOL_CHARS], arguments=arguments, origin=foreign, **named)


def judge(play: Play, call: ToolCall, sources: Sources) -> tuple[Answer, Append]:
    """Let the world judge a call."""
    began = sources.timer()
    judged = play.simulation.call(call.tool, call.arguments)
    duration_ms = round((sources.timer() - began) * 1000, 3)
    play.steps += 1
    play.full_result = judged.result
    if judged.refusal is None:
        play.seen = Encoded.of(judged.observation)
    answer = Answer(
        episode_id=play.id,
        tool=call.tool,
        step=play.steps,
        result=cut(judged.result),
        refusal=judged.refusal,
        observation=judged.observation,
        done=judged.done,
        terminal_reason=judged.terminal_reason,
        earned=judged.earned,
    )
    if call.action_id is not None:
        play.actions[call.action_id] = (fingerprint(call.tool, call.arguments), answer)
    return answer, note(play, call, answer, sources, judged=True, duration_ms=duration_ms)


def refuse(play: Play, call: ToolCall, refusal: Refusal, sources: Sources) -> tuple[Answer, Append]:
    """Log a call that never reached the world."""
    answer = standing(play, call.tool, refusal=refusal)
    return answer, note(play, call, answer, sources)


def standing(play: Play, tool: str, result: Json | None = None, refusal: Refusal | None = None) -> Answer:
    """Return the answer that shows a play as it stands."""
    episode = play.simulation.episode
    return Answer(play.id, tool, play.steps, result, refusal, play.seen.value, episode.done, episode.terminal_reason)


def note(
    play: Play, call: ToolCall, answer: Answer, sources: Sources, *, judged: bool = False, duration_ms: float = 0.0
) -> Append:
    """Return the append that logs a call and its answer, and the end and the score where there is one."""
    refusal = answer.refusal
    result = ToolResult(
        tool=call.tool,
        step=answer.step,
        judged=judged,
        error=refusal.code if refusal else None,
        message=refusal.message if refusal else None,
        result=answer.result,
        observation=None if refusal else play.seen,
        observation_hash=play.seen.hash,
        done=answer.done,
        terminal_reason=answer.terminal_reason,
        duration_ms=duration_ms,
    )
    at_ms = sources.now_ms()
    if not answer.done:
        return play.draft([call, result], at_ms)
    score = score_draft(play.simulation.score(), answer.terminal_reason, ended=True)
    end = [] if play.ended else [EpisodeEnd(reason=answer.terminal_reason, steps=play.steps)]
    return play.draft([call, result, *end], at_ms, None if score == play.scored else score)


def unfit(play: Play, call: ToolCall, known: Mapping[str, object]) -> Refusal | None:
    """Return why the arguments that the arena itself reads keep a call from the world, or None."""
    return _malformed(call) or _named_before(call, known) or _moved_on(play, call)


def _malformed(call: ToolCall) -> Refusal | None:
    name, step = call.action_id, call.expected_step
    if name is not None and (not isinstance(name, str) or not 0 < len(name) <= 200):
        return Refusal("invalid_argument", "action_id must be a string of 1 to 200 characters", InvalidArgument)
    if step is not None and (not isinstance(step, int) or isinstance(step, bool)):
        message = (
            "expected_step must be a whole number: pass the step of the last answer you have seen, or leave it out"
        )
        return Refusal("invalid_argument", message, InvalidArgument)
    return None


def _named_before(call: ToolCall, known: Mapping[str, object]) -> Refusal | None:
    if call.action_id not in known:
        return None
    shown = ascii(call.action_id)[:80]
    message = f"action_id {shown} already names another call of this episode: give this one a new action_id"
    return Refusal("conflict", message, Conflict)


def _moved_on(play: Play, call: ToolCall) -> Refusal | None:
    if call.expected_step is None or call.expected_step == play.steps:
        return None
    message = (
        f"you expected step {call.expected_step} and the episode is at step {play.steps}: observe it, then decide again"
    )
    return Refusal("conflict", message, Conflict)
