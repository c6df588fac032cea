"""`canary`: a pass is a sound change promoted or a bad one rolled back."""

from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.scenarios import world_of
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.episodes.canary.tools import ASK, DECIDE, EXTEND, INSPECT
from releaseops_mcp.evaluation.measures.base import Ending, Measures
from releaseops_mcp.evaluation.trajectory import Call
from releaseops_mcp.rewards.canary import DECISION

QUICKEST_PROMOTION = 4
"""Decisions from the first weight to all traffic, by the largest steps."""


def _passes(ending: Ending) -> bool:
    return ending.metrics["outcome"] == ("rolled_back" if ending.metrics["bad"] else "promoted")


def _accuses(call: Call) -> bool:
    if call.tool != DECIDE.name:
        return False
    return call.arguments["action_type"] == "rollback" or call.arguments["diagnosis"] == "regression"


def _kind(scenario: str) -> str:
    return SUITE.parse(scenario).family.removesuffix(TWIN)


def _clairvoyant(scenario: str) -> float:
    """Return the figure of a rollback at once where the change is bad, of the quickest promotion where it is sound."""
    parsed = SUITE.parse(scenario)
    decisions = 1 if world_of(parsed.family, parsed.seed).regression.bad else QUICKEST_PROMOTION
    return round(1.0 - decisions * DECISION, 6)


MEASURES = Measures(
    suite=SUITE.name,
    reference="bayes",
    success_rule="a sound change reached all traffic, or a bad one was rolled back",
    passes=_passes,
    evidence=frozenset({INSPECT.name, EXTEND.name, ASK.name}),
    approves=lambda call: call.tool == DECIDE.name and call.arguments["action_type"].startswith("increase"),
    accuses=_accuses,
    falsely=lambda call: call.detail.get("bad") is False,
    verdict=lambda call: call.arguments["action_type"].partition("_")[0] if call.tool == DECIDE.name else None,
    right=lambda call: call.detail.get("diagnosis_right"),
    kind=_kind,
    clairvoyant=_clairvoyant,
)
