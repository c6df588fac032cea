"""One episode as OpenTelemetry spans under the GenAI conventions, as plain data: no SDK is needed for it.

The episode is an `invoke_agent` span, each call an `execute_tool` span and each reported model call a `chat` span below
it. Trace and span ids come from the chain's hashes, so exporting an episode twice gives the same spans. Where the
client sent a trace context, that of its `start_episode` is the parent of the whole, that of each later call a link.

Names: github.com/open-telemetry/semantic-conventions-genai v0.1.0 (status: development); what is ours begins with
`releaseops.`. No truth is in a span, and no score unless the caller gives one of an episode that is over.
"""

from collections.abc import Iterator
from typing import Any

from releaseops_mcp import canonical
from releaseops_mcp.events import EpisodeEnd, Fault, ModelCall, ToolCall, ToolResult
from releaseops_mcp.log.atif import answer_text
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.log.rows import ScoreDraft
from releaseops_mcp.log.spans import Attributes, Span, SpanEvent, Trace
from releaseops_mcp.log.trace import TraceContext, read_traceparent

PROVIDER = "_OTHER"
"""What `gen_ai.provider.name` must say of a chat: the log knows the model, not who serves it."""


def to_trace(episode: LoggedEpisode, score: ScoreDraft | None = None, *, with_content: bool = False) -> Trace:
    """Return the spans of one episode as far as it has come; `score` is left out while the episode runs.

    `with_content` adds what the agent sent and read, which the conventions leave to an opt-in.
    """
    begun = episode.events[0]
    parent = read_traceparent(episode.start["origin"].get("traceparent", ""))
    place = TraceContext(parent.trace_id if parent else begun.hash[:32], begun.hash[:16])
    ended = next((event for event in episode.events if event.kind == EpisodeEnd.kind), None)
    root = Span(
        context=place,
        parent=parent,
        name=f"invoke_agent {_agent(episode)}",
        kind="internal",
        start_ns=_ns(begun.at_ms),
        end_ns=_ns((ended or episode.events[-1]).at_ms),
        attributes=_facts(episode, ended),
        events=(*_faults(episode), *(_evaluation(score, ended) if score and ended else ())),
    )
    return Trace(
        canonical.encodable(episode.start["versions"]["releaseops"]),
        (root, *_operations(episode, place, with_content=with_content)),
        parent is not None,
    )


def _agent(episode: LoggedEpisode) -> str:
    origin = episode.start["origin"]
    return origin["agent"] or origin["client"] or origin["door"]


def _facts(episode: LoggedEpisode, ended: LoggedEvent | None) -> Attributes:
    start = episode.start
    copied = ("scenario", "suite", "family", "level", "seed", "world_hash", "tools_hash", "capture")
    facts = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": _agent(episode),
        "gen_ai.request.model": start["origin"]["model"] or None,
        "gen_ai.conversation.id": episode.id,
        **{f"releaseops.{name}": start[name] for name in copied},
        "releaseops.door": start["origin"]["door"],
        "releaseops.ended": ended is not None,
        "releaseops.terminal_reason": ended.data["reason"] if ended else None,
        "releaseops.steps": ended.data["steps"] if ended else None,
    }
    return _stated(facts)


def _faults(episode: LoggedEpisode) -> Iterator[SpanEvent]:
    for event in episode.events:
        if event.kind == Fault.kind:
            yield SpanEvent("exception", _ns(event.at_ms), {"exception.type": event.data["error"]})


def _evaluation(score: ScoreDraft, ended: LoggedEvent) -> Iterator[SpanEvent]:
    named = {
        "gen_ai.evaluation.name": f"{score.reward_id}@{score.version}",
        "gen_ai.evaluation.score.value": float(score.total),
    }
    yield SpanEvent("gen_ai.evaluation.result", _ns(ended.at_ms), named)


def _operations(episode: LoggedEpisode, place: TraceContext, *, with_content: bool) -> Iterator[Span]:
    call: LoggedEvent | None = None
    for event in episode.events:
        if event.kind == ToolCall.kind:
            call = event
        elif event.kind == ToolResult.kind and call is not None:
            yield _tool_span(episode, place, call, event, with_content=with_content)
        elif event.kind == ModelCall.kind:
            yield _chat_span(episode, place, event)


def _tool_span(
    episode: LoggedEpisode, place: TraceContext, call: LoggedEvent, answer: LoggedEvent, *, with_content: bool
) -> Span:
    tool, action, result = call.data["tool"], call.data["action_id"], answer.data
    facts = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": action if isinstance(action, str) else f"call_{call.seq}",
        "gen_ai.conversation.id": episode.id,
        "error.type": result["error"],
        "releaseops.seq": call.seq,
        **{f"releaseops.{name}": result[name] for name in ("step", "judged", "done", "terminal_reason")},
    }
    if with_content:
        facts["gen_ai.tool.call.arguments"] = canonical.dumps(call.data["arguments"])
        facts["gen_ai.tool.call.result"] = answer_text(result)
    return Span(
        context=TraceContext(place.trace_id, call.hash[:16]),
        parent=place,
        name=canonical.encodable(f"execute_tool {tool}"),
        kind="internal",
        start_ns=_ns(answer.at_ms, result["duration_ms"]),
        end_ns=_ns(answer.at_ms),
        attributes=_stated(facts),
        error=None if result["error"] is None else canonical.encodable(str(result["message"])),
        link=read_traceparent(call.data.get("traceparent", "")),
    )


def _chat_span(episode: LoggedEpisode, place: TraceContext, event: LoggedEvent) -> Span:
    call = event.data
    ours = ("cost_usd", "policy_version", "tokenizer_hash", "template_hash", "token_ids_sha256", "logprobs_sha256")
    facts = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDER,
        "gen_ai.request.model": call["model"],
        "gen_ai.conversation.id": episode.id,
        "gen_ai.usage.input_tokens": call["input_tokens"],
        "gen_ai.usage.output_tokens": call["output_tokens"],
        "releaseops.seq": event.seq,
        **{f"releaseops.{name}": call[name] for name in ours if call[name] != ""},
    }
    return Span(
        context=TraceContext(place.trace_id, event.hash[:16]),
        parent=place,
        name=canonical.encodable(f"chat {call['model']}"),
        kind="client",
        start_ns=_ns(event.at_ms, call["latency_ms"] or 0),
        end_ns=_ns(event.at_ms),
        attributes=_stated(facts),
    )


def _stated(facts: dict[str, Any]) -> Attributes:
    """Return the attributes that have a value: what nobody stated is left out, never 0 or empty."""
    return {
        name: canonical.encodable(value) if isinstance(value, str) else value
        for name, value in facts.items()
        if value is not None
    }


def _ns(at_ms: int, before_ms: float = 0) -> int:
    """Return the moment `before_ms` before a Unix time; whole microseconds, so that no rounding depends on size."""
    return (at_ms * 1_000 - round(before_ms * 1_000)) * 1_000
