"""One episode as an ATIF trajectory (Agent Trajectory Interchange Format 1.8), as plain JSON data.

The agent's turns become steps: a message and the model call behind it join the tool call that follows them, an answer
becomes the observation of the call's step. What is ours stands under `extra.releaseops`. No truth is in it, and no
score unless the caller gives one of an episode that is over.
"""

from datetime import UTC, datetime
from typing import Any, cast

from releaseops_mcp import canonical
from releaseops_mcp.events import EpisodeEnd, Fault, Message, ModelCall, ToolCall, ToolResult
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.log.rows import ScoreDraft

SCHEMA_VERSION = "ATIF-v1.8"

Json = dict[str, Any]


def to_atif(episode: LoggedEpisode, score: ScoreDraft | None = None) -> Json:
    """Return the trajectory of one episode; `score` is left out while the episode runs."""
    turns = _Turns()
    for event in episode.events:
        turns.take(event)
    ends = [event.data for event in episode.events if event.kind == EpisodeEnd.kind]
    ours = _ours(episode, ends[0] if ends else None)
    if ends and score is not None:
        ours["score"] = {
            "reward_id": score.reward_id,
            "version": score.version,
            "code_hash": score.code_hash,
            "total": score.total,
            **score.body,
        }
    return {
        "schema_version": SCHEMA_VERSION,
        "session_id": episode.id,
        "trajectory_id": episode.id,
        "agent": _agent(episode.start["origin"]),
        "steps": turns.steps,
        "final_metrics": turns.totals(),
        "extra": {"releaseops": ours},
    }


def _agent(origin: dict[str, str]) -> Json:
    agent: Json = {
        "name": origin["agent"] or origin["client"] or origin["door"],
        "version": origin["client_version"] or "unknown",
        "extra": {"releaseops": origin},
    }
    return agent | ({"model_name": origin["model"]} if origin["model"] else {})


def _ours(episode: LoggedEpisode, end: dict[str, Any] | None) -> Json:
    copied = ("scenario", "suite", "family", "level", "seed", "world_hash", "versions", "tools_hash", "capture")
    return {
        "episode": episode.id,
        **{name: episode.start[name] for name in copied},
        "events": episode.count,
        "chain_head": episode.head,
        "ended": end is not None,
        "terminal_reason": end["reason"] if end else None,
    }


class _Turns:
    """The steps so far, and the agent's turn that is still open to a message, a model call or a tool call."""

    def __init__(self) -> None:
        self.steps: list[Json] = []
        self._open: Json | None = None
        self._call: LoggedEvent | None = None
        self._model_calls: list[Json] = []

    def take(self, event: LoggedEvent) -> None:
        """Take one event in; an `episode_end` makes no step."""
        if event.kind == ToolCall.kind:
            self._call = event
        elif event.kind == ToolResult.kind and self._call is not None:
            self._acted(self._call, event)
        elif event.kind == ModelCall.kind:
            self._called_model(event)
        elif event.kind == Message.kind:
            self._said(event)
        elif event.kind == Fault.kind:
            self._add(event, "system", f"the arena failed ({event.data['error']}); the call was not applied")
        elif event.seq == 0:
            start = {"results": [{"content": canonical.dumps(event.data["observation"])}]}
            self._add(event, "system", "The episode began.", observation=start)

    def totals(self) -> Json:
        """Return the sums over the reported model calls."""
        totals: Json = {"total_steps": len(self.steps)}
        for name, field in (("total_prompt_tokens", "input_tokens"), ("total_completion_tokens", "output_tokens")):
            counts = [call[field] for call in self._model_calls]
            if counts and None not in counts:
                totals[name] = sum(counts)
        costs = [call["cost_usd"] for call in self._model_calls if call["cost_usd"] is not None]
        return totals | ({"total_cost_usd": sum(costs)} if costs else {})

    def _add(self, event: LoggedEvent, source: str, message: str, **fields: Any) -> Json:
        step: Json = {"step_id": len(self.steps) + 1, "timestamp": _iso(event.at_ms), "source": source}
        step |= {"message": message, **fields, "extra": {"releaseops": {"seq": event.seq}}}
        self.steps.append(step)
        self._open = None
        return step

    def _turn(self, event: LoggedEvent, *without: str) -> Json:
        """Return the agent's open turn where it still lacks what is coming, else a new one."""
        if self._open is not None and not any(self._open.get(name) for name in without):
            return self._open
        self._open = self._add(event, "agent", "")
        return self._open

    def _said(self, event: LoggedEvent) -> None:
        role, content = event.data["role"], event.data["content"]
        if role == "assistant":
            turn = self._turn(event, "message")
            turn["message"] = content
            turn["extra"]["releaseops"]["message_seq"] = event.seq
        elif role == "tool":
            self._add(event, "system", "", observation={"results": [{"content": content}]})
        else:
            self._add(event, role, content)

    def _called_model(self, event: LoggedEvent) -> None:
        call = event.data
        self._model_calls.append(call)
        turn = self._turn(event, "metrics")
        named = ("model", "input_tokens", "output_tokens", "cost_usd")
        metrics: Json = {"prompt_tokens": call["input_tokens"], "completion_tokens": call["output_tokens"]}
        metrics |= {"cost_usd": call["cost_usd"]} if call["cost_usd"] is not None else {}
        metrics["extra"] = {"releaseops": {key: value for key, value in call.items() if key not in named and value}}
        turn |= {"model_name": call["model"], "metrics": metrics}

    def _acted(self, call: LoggedEvent, answer: LoggedEvent) -> None:
        turn = self._turn(call)
        self._open = None
        name = f"call_{call.seq}"
        arguments = call.data["arguments"]
        sent = cast("Json", arguments) if isinstance(arguments, dict) else {"$arguments": arguments}
        tool = canonical.encodable(call.data["tool"])
        turn["tool_calls"] = [{"tool_call_id": name, "function_name": tool, "arguments": sent}]
        turn["observation"] = {"results": [{"source_call_id": name, "content": answer_text(answer.data)}]}
        copied = ("step", "judged", "error", "done", "terminal_reason", "duration_ms", "observation_hash")
        turn["extra"]["releaseops"] |= {"seq": call.seq, **{key: answer.data[key] for key in copied}}


def answer_text(answer: dict[str, Any]) -> str:
    """Return what the agent read: the refusal, or result and observation as JSON."""
    if answer["error"] is not None:
        return canonical.encodable(f"{answer['error']}: {answer['message']}")
    shown = ("result", "observation", "done", "terminal_reason")
    return canonical.dumps({key: answer[key] for key in shown})


def _iso(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
