"""decide: asks the model once. What it says is kept as it is; only missing or repeated call ids are made unique."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any
from uuid import uuid4

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import merge_configs

from graphs.bridge import Offer, arena_tools
from graphs.models.calls import ORDER
from graphs.models.prices import cost_usd
from graphs.nodes.base import Node, Update, calls_of, record
from graphs.raw import AsStreamed
from graphs.setup import Setup
from graphs.state import SupervisorState
from graphs.texts import prompt
from releaseops_mcp.agents.drive import InfrastructureFailed, SupervisorFailed
from releaseops_mcp.errors import ReleaseOpsError

Choice = Callable[[Offer], bool]


def decide(setup: Setup, role: str = "", offered: Choice = lambda offer: True) -> Node:
    """Return the node; a role of a panel has a prompt of its own and may be given fewer tools."""

    async def node(state: SupervisorState, config: RunnableConfig) -> Update:
        offers = [offer for offer in await setup.session.offers(state["suite"]) if offered(offer)]
        model = setup.model(role)
        asked = model.bind_tools(arena_tools(setup.session, state["episode_id"], offers)) if offers else model
        began = perf_counter()
        streamed = AsStreamed()
        watched = merge_configs(config, {"callbacks": [streamed]})
        answer = await _ask(asked, seen_by(role, state["messages"]), watched)
        latency_ms = round((perf_counter() - began) * 1000, 3)
        answer = _named(streamed.unmended(answer), role, state["messages"])
        await _log(setup, state, answer, latency_ms)
        usage = answer.usage_metadata
        return {"messages": [answer], "tokens": state["tokens"] + (usage["total_tokens"] if usage else 0)}

    return node


async def _ask(
    model: Runnable[LanguageModelInput, Any], messages: list[BaseMessage], config: RunnableConfig
) -> AIMessage:
    """Return the answer; whatever keeps a model from answering at all is the fault of what it runs on."""
    try:
        answer = await model.ainvoke(messages, config)
    except (ReleaseOpsError, SupervisorFailed):
        raise
    except Exception as error:
        raise InfrastructureFailed(f"the model gave no answer: {type(error).__name__}: {error}") from error
    if not isinstance(answer, AIMessage):
        raise InfrastructureFailed(f"the model gave no answer but a {type(answer).__name__}")
    return answer


def seen_by(role: str, messages: Sequence[AnyMessage]) -> list[BaseMessage]:
    """Return the conversation as a role sees it: its own prompt on top, what others said as somebody's words."""
    if not role:
        return list(messages)
    seen: list[BaseMessage] = []
    for message in messages:
        if isinstance(message, SystemMessage):
            seen.append(SystemMessage(f"{message.text}\n\n{prompt(role)}"))
        elif isinstance(message, AIMessage) and message.name != role and not calls_of(message):
            seen.append(HumanMessage(f"The {message.name or 'panel'} says:\n\n{message.text}"))
        else:
            seen.append(message)
    return seen


def _named(answer: AIMessage, role: str, messages: Sequence[AnyMessage]) -> AIMessage:
    """Return the answer under its role's name and with call ids that name one call each in this episode."""
    used = {call["id"] for message in messages if isinstance(message, AIMessage) for call in calls_of(message)}
    fresh: dict[str, list[dict[str, object]]] = {"tool_calls": [], "invalid_tool_calls": []}
    renamed: dict[str, str] = {}
    for kind, calls in fresh.items():
        for call in getattr(answer, kind):
            name = call["id"] if call["id"] and call["id"] not in used else f"call_{uuid4().hex}"
            used.add(name)
            renamed[call["id"] or ""] = name
            calls.append({**call, "id": name})
    order = [renamed.get(name, name) for name in answer.response_metadata.get(ORDER, ())]
    metadata = answer.response_metadata | ({ORDER: order} if order else {})
    return answer.model_copy(
        update={**fresh, "response_metadata": metadata, **({"name": role} if role else {})},
    )


async def _log(setup: Setup, state: SupervisorState, answer: AIMessage, latency_ms: float) -> None:
    usage = answer.usage_metadata
    named = answer.response_metadata.get("model_name") or state.get("model") or state.get("agent") or "unnamed"
    tokens = {kind: usage[kind] if usage else None for kind in ("input_tokens", "output_tokens")}
    asked = (state.get("model") or "").partition(":")[2]
    cost = cost_usd(setup.prices, asked or named, **tokens)
    body = {"model": named, **tokens, "cost_usd": cost, "latency_ms": latency_ms}
    await setup.session.record(state["episode_id"], "model_call", body)
    await record(setup.session, state["episode_id"], [answer])
