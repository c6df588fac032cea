"""The policy of a supervisor with a chat model behind it, in raw mode: nothing that the model says is mended.

Each answer's tool calls are made one after the other, in the model's order and under the names and arguments that it
gave; the arena refuses, logs and counts the wrong ones. An answer without any call is made as a call of `no_tool_call`,
which no suite has, and is so refused as well; after three of them in a row the supervisor leaves the episode as it is.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from graphs.agents.conversation import Conversation
from graphs.agents.prompts import Prompt
from graphs.agents.tools import tools_for_model
from graphs.models.asking import ask
from graphs.models.calls import calls_of
from graphs.models.prices import Prices, cost_usd
from releaseops_mcp.agents.base import Action, Brief, Play, Turn
from releaseops_mcp.episodes.base import Json, Suite
from releaseops_mcp.log.blobs import token_blobs

NO_CALL = "no_tool_call"
"""The name under which an answer without a tool call is made, refused and counted."""
MOST_IDLE = 3
"""So many answers in a row without a tool call end the play."""


@dataclass(frozen=True)
class Mind:
    """A model with all that its policy needs besides an episode."""

    name: str
    """The model's, without its scheme."""
    model: BaseChatModel
    prompt: Prompt
    prices: Prices
    facts: Json
    """What the log shall know of each call beyond usage: fields of `events.ModelCall`."""
    binding: Callable[[int], dict[str, Any]] = lambda seed: {}
    """From an episode's seed to what is bound to the model, such as the seed of its sampling."""
    timer: Callable[[], float] = time.perf_counter

    def play(self, suite: Suite, brief: Brief) -> Play:
        """Play one episode."""
        bound = self.model.bind_tools(tools_for_model(brief.tools), **self.binding(brief.seed))
        talk = Conversation(brief.record, self._opening(suite, brief))
        idle = 0
        while idle < MOST_IDLE:
            began = self.timer()
            answer = ask(bound, talk.messages)
            talk.add(answer)
            used = self._used(answer, (self.timer() - began) * 1000)
            brief.record("model_call", used | _kept(brief, answer))
            idle = 0 if calls_of(answer) else idle + 1
            yield from _act(talk, answer)

    def _opening(self, suite: Suite, brief: Brief) -> list[BaseMessage]:
        system = self.prompt.filled(briefing=suite.briefing, policy=suite.policy)
        return [SystemMessage(system), HumanMessage(_shown({"observation": brief.observation}))]

    def _used(self, answer: AIMessage, latency_ms: float) -> Json:
        usage: Any = answer.usage_metadata or {}
        tokens = {name: usage.get(name) for name in ("input_tokens", "output_tokens")}
        own = answer.response_metadata.get("model_call", {})
        cost = cost_usd(self.prices, self.name, **tokens)
        return {"model": self.name, **tokens, "cost_usd": cost, "latency_ms": round(latency_ms, 3), **self.facts, **own}


def _kept(brief: Brief, answer: AIMessage) -> Json:
    """Keep the tokens that were sampled, where the model hands them out, and return how the log names them."""
    if "sampled" not in answer.response_metadata:
        return {}
    names = brief.keep(token_blobs(*answer.response_metadata["sampled"]))
    return dict(zip(("token_ids_sha256", "logprobs_sha256"), names, strict=True))


def _act(talk: Conversation, answer: AIMessage) -> Play:
    """Make an answer's calls and tell the model what each came to; the driver ends the play with the episode."""
    for call in calls_of(answer):
        turn = yield Action(call.name, call.arguments)
        talk.add(ToolMessage(told(turn), tool_call_id=call.id, status="error" if turn.error else "success"))
    if not calls_of(answer):
        turn = yield Action(NO_CALL, {"text": str(answer.text)})
        talk.add(HumanMessage(told(turn)))


def told(turn: Turn) -> str:
    """Return what a call came to as the text that a model reads; a refusal as every other door shows it."""
    if turn.error is not None:
        return f"{turn.error}: {turn.message}"
    seen = {"result": turn.result, "observation": turn.observation, "done": turn.done}
    return _shown(seen | {"terminal_reason": turn.terminal_reason})


def _shown(body: Json) -> str:
    return json.dumps(body, ensure_ascii=False)
