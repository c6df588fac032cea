"""gate: asks a person before destructive calls. It has no side effect, since all of it runs again on the answer.

It asks once for all such calls of a turn. The answer is true (approve all), one decision for all of them, or
`{"decisions": {CALL_ID: decision, ...}}`; an answer that cannot be read is asked for again.
"""

from collections.abc import Sequence
from typing import Any, cast

from langchain_core.messages import ToolCall
from langgraph.types import interrupt

from graphs.bridge import gate_set
from graphs.nodes.base import Node, Update, calls_of, last_answer
from graphs.setup import Setup
from graphs.state import Decision, SupervisorState

ACTIONS = ("approve", "edit", "refuse")


class Unreadable(ValueError):
    """A person's answer that is no decision; says what is wrong with it."""


def gate(setup: Setup) -> Node:
    """Return the node."""

    async def node(state: SupervisorState) -> Update:
        nothing: Update = {"decisions": {}, "gate_problem": ""}
        if not setup.asks:
            return nothing
        gated = gate_set(await setup.session.offers(state["suite"]))
        asked = [call for call in calls_of(last_answer(state["messages"])) if call["name"] in gated]
        if not asked:
            return nothing
        answer = interrupt(question(state, asked))
        try:
            return {"decisions": decisions_of(answer, asked), "gate_problem": ""}
        except Unreadable as problem:
            return {"decisions": {}, "gate_problem": str(problem)}

    return node


def question(state: SupervisorState, asked: Sequence[ToolCall]) -> dict[str, Any]:
    """Return what the person is shown, as plain JSON."""
    return {
        "kind": "release_gate",
        "episode_id": state["episode_id"],
        "calls": [{"id": call["id"], "tool": call["name"], "arguments": call["args"]} for call in asked],
        "observation": state["observation"],
        "figures": state["figures"],
        "problem": state["gate_problem"],
    }


def decisions_of(answer: Any, asked: Sequence[ToolCall]) -> dict[str, Decision]:
    """Return a decision for every call that was asked about; raises Unreadable."""
    if answer is True:
        answer = {"action": "approve"}
    if not isinstance(answer, dict):
        raise Unreadable('answer true, {"action": ...} or {"decisions": {CALL_ID: {"action": ...}}}')
    said = cast("dict[str, Any]", answer)
    each: Any = said["decisions"] if "decisions" in said else {str(call["id"]): said for call in asked}
    ids = [str(call["id"]) for call in asked]
    if not isinstance(each, dict) or sorted(cast("dict[str, Any]", each)) != sorted(ids):
        raise Unreadable(f"decide each of the calls {', '.join(ids)}, and no other")
    return {name: _decision(each[name]) for name in ids}


def _decision(said: Any) -> Decision:
    if not isinstance(said, dict) or cast("dict[str, Any]", said).get("action") not in ACTIONS:
        raise Unreadable(f"an action is one of {', '.join(ACTIONS)}")
    given = cast("dict[str, Any]", said)
    if given["action"] == "edit" and not isinstance(given.get("arguments"), dict):
        raise Unreadable("an edit needs the arguments that the call shall have, as an object")
    reason = given.get("reason", "")
    if not isinstance(reason, str):
        raise Unreadable("a reason is a text")
    if given["action"] == "edit":
        return {"action": "edit", "arguments": given["arguments"], "reason": reason}
    return {"action": given["action"], "reason": reason}
