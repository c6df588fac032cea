"""reflect: takes in what the turn came to, and says whether and why the run stops."""

from typing import cast

from langchain_core.messages import HumanMessage

from graphs.nodes.base import Node, Update, answers_since, record
from graphs.setup import Setup
from graphs.state import Limits, StopReason, SupervisorState, figures_of
from graphs.texts import prompt


def reflect(setup: Setup) -> Node:
    """Return the node."""

    async def node(state: SupervisorState) -> Update:
        update = taken_in(state)
        reason = stop_reason(cast("SupervisorState", {**state, **update}), setup.limits)
        if not reason and update["idle_turns"]:
            nudge = HumanMessage(prompt("nudge"))
            await record(setup.session, state["episode_id"], [nudge])
            update["messages"] = [nudge]
        return {**update, "stop_reason": reason}

    return node


def taken_in(state: SupervisorState) -> Update:
    """Return the standing after this turn's answers, and how long nothing has come of the turns."""
    answers = answers_since(state["messages"])
    accepted = [answer.artifact for answer in answers if answer.artifact is not None]
    update: Update = {
        "idle_turns": 0 if answers else state["idle_turns"] + 1,
        "refused_turns": 0 if accepted else state["refused_turns"] + bool(answers),
    }
    if accepted:
        newest = max(accepted, key=lambda body: (body["step"], body["done"]))
        update |= {key: newest[key] for key in ("observation", "step", "done", "terminal_reason")}
        update["figures"] = figures_of(newest["observation"])
    return update


def stop_reason(state: SupervisorState, limits: Limits) -> StopReason | str:
    """Return why the run stops here, or an empty text where it goes on."""
    reasons: tuple[tuple[bool, StopReason], ...] = (
        (state["done"], "episode_over"),
        (state["calls"] >= limits.calls, "call_limit"),
        (0 < limits.tokens <= state["tokens"], "token_limit"),
        (state["idle_turns"] >= limits.idle_turns, "no_tool_calls"),
        (state["refused_turns"] >= limits.refused_turns, "calls_refused"),
    )
    return next((reason for holds, reason in reasons if holds), "")
