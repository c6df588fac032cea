"""A supervisor of the classic gate that draws each call from those that would be accepted."""

from collections.abc import Sequence
from random import Random

from releaseops_mcp.agents.base import Action, Brief, Play, supervisor
from releaseops_mcp.agents.scripted.classic_gate_moves import SUITE, approve, block, hold, inspect
from releaseops_mcp.catalogue import ToolSpec
from releaseops_mcp.episodes.base import Json


@supervisor("random-valid", suite=SUITE, degenerate=True)
def random_valid(brief: Brief) -> Play:
    """Draws a kind of move, then one of its calls that are valid at the moment."""
    rng = Random(brief.seed)  # noqa: S311 - the same seed must play the same
    values = _enums(brief.tools)
    observation = brief.observation
    while True:
        kinds = [calls for calls in valid_calls(observation, values) if calls]
        observation = (yield rng.choice(rng.choice(kinds))).observation


def valid_calls(observation: Json, values: dict[str, tuple[str, ...]]) -> tuple[list[Action], ...]:
    """Return the calls that would be accepted now, by kind: inspect, ask, approve, block, hold.

    `values` gives the values of the arguments `question_type`, `rule_id` and `reason_code`.
    """
    proposals = observation["proposals"]
    first_of_id = {proposal["id"]: proposal for proposal in reversed(proposals)}
    waiting = [proposal for proposal in first_of_id.values() if proposal["status"] == "unresolved"]
    affordable = observation["evidence_actions_remaining"] > 0 and observation["review_budget_remaining"] > 0
    inspections = [inspect(ref) for proposal in proposals for ref in proposal["refs"]]
    questions = [
        Action("ask_worker", {"worker_id": proposal["worker"], "question_type": question})
        for proposal in proposals
        for question in values["question_type"]
    ]
    blocks = [
        block(proposal, rule)
        for proposal in waiting
        for rule in proposal["possible_rule_violations"] or values["rule_id"]
    ]
    return (
        inspections if affordable else [],
        questions if affordable else [],
        [approve(proposal) for proposal in waiting],
        blocks,
        [hold(reason) for reason in values["reason_code"]],
    )


def _enums(tools: Sequence[ToolSpec]) -> dict[str, tuple[str, ...]]:
    return {parameter.name: parameter.enum for tool in tools for parameter in tool.parameters if parameter.enum}
