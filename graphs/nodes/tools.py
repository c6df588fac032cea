"""tools: makes the calls. Inspections that stand together go side by side, everything else one after the other.

A call that is not made (refused by a person, beyond the limit, after the end, not this role's to make) is answered
all the same: every call of a model gets its answer.
"""

import asyncio
from collections.abc import Mapping
from itertools import groupby

from langchain_core.messages import ToolCall, ToolMessage

from graphs.bridge import Offer, arena_tool, unknown_tool
from graphs.nodes.base import Node, Update, calls_of, last_answer, record
from graphs.nodes.decide import Choice
from graphs.setup import Setup
from graphs.state import Decision, SupervisorState
from releaseops_mcp import canonical

REFUSED = "refused_by_person"
NOT_MADE = "not_made"


def tools(setup: Setup, allowed: Choice = lambda offer: True) -> Node:
    """Return the node; calls of tools that are not allowed here are not made."""

    async def node(state: SupervisorState) -> Update:
        offers = {offer.name: offer for offer in await setup.session.offers(state["suite"])}
        calls = calls_of(last_answer(state["messages"]))
        left = setup.limits.calls - state["calls"]
        turn = _Turn(setup, state, offers, allowed)
        for together, group in groupby(calls[:left], key=lambda call: _reads(offers, call)):
            batch = list(group)
            if together and not turn.over:
                turn.answers += await asyncio.gather(*map(turn.answer, batch))
            else:
                for call in batch:
                    turn.answers.append(await turn.answer(call))
        turn.answers += [_unmade(call, "the limit of tool calls is reached") for call in calls[left:]]
        await record(setup.session, state["episode_id"], turn.answers)
        return {"messages": turn.answers, "calls": state["calls"] + len(calls[:left])}

    return node


class _Turn:
    """The calls of one message, as they are made."""

    def __init__(self, setup: Setup, state: SupervisorState, offers: Mapping[str, Offer], allowed: Choice) -> None:
        self._setup = setup
        self._state = state
        self._offers = offers
        self._allowed = allowed
        self.answers: list[ToolMessage] = []

    @property
    def over(self) -> bool:
        """Whether a call of this turn has ended the episode."""
        return any(answer.artifact["done"] for answer in self.answers if answer.artifact is not None)

    async def answer(self, call: ToolCall) -> ToolMessage:
        """Make one call, or say why it is not made."""
        decision = self._state["decisions"].get(str(call["id"]), Decision(action="approve"))
        offer = self._offers.get(call["name"]) or unknown_tool(call["name"])
        if self.over:
            return _unmade(call, "the episode is over")
        if not self._allowed(offer):
            return _unmade(call, f"{offer.name} is not yours to call")
        if decision.get("action") == "refuse":
            return _error(call, f"{REFUSED}: {decision.get('reason') or 'no reason was given'}")
        if decision.get("action") == "edit":
            call = ToolCall(name=call["name"], args=decision.get("arguments", {}), id=call["id"], type="tool_call")
        tool = arena_tool(self._setup.session, self._state["episode_id"], offer)
        answer: ToolMessage = await tool.ainvoke({**call, "type": "tool_call"})
        return _edited(answer, decision) if decision.get("action") == "edit" else answer


def _reads(offers: Mapping[str, Offer], call: ToolCall) -> bool:
    return call["name"] in offers and offers[call["name"]].read_only


def _edited(answer: ToolMessage, decision: Decision) -> ToolMessage:
    said = decision.get("reason", "")
    reason = f" ({said})" if said else ""
    note = f"A person changed the arguments to {canonical.dumps(decision.get('arguments'))}{reason}."
    content = f"{answer.content}\n{note}" if answer.status == "error" else f"{note}\n{answer.content}"
    return answer.model_copy(update={"content": content})


def _unmade(call: ToolCall, why: str) -> ToolMessage:
    return _error(call, f"{NOT_MADE}: {why}")


def _error(call: ToolCall, text: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id=str(call["id"]), name=call["name"], status="error")
