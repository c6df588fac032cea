"""The original's three scripted baselines, call for call.

Each walks the unresolved proposals of one observation, then looks again. A refused call is passed over, so on a world
with duplicate proposal ids a walk may repeat for ever: the driver's limit ends it, as a finding about the policy.
"""

from collections.abc import Iterable

from releaseops_mcp.agents.base import Brief, Play, supervisor
from releaseops_mcp.agents.scripted.classic_gate_moves import SHIP, SUITE, approve, block, hold, inspect, unresolved
from releaseops_mcp.episodes.base import Json

REF_ORDER = {
    "payments": ("pr_", "ci_run_", "ticket_"),
    "p1": ("ticket_", "pr_", "ci_run_"),
    "deploy": ("ci_run_", "ticket_", "pr_"),
}
"""By risk, most urgent first: the kinds of artefact to inspect, best first."""


@supervisor("naive", suite=SUITE)
def naive(brief: Brief) -> Play:
    """Approves every proposal in display order, and holds when none is left."""
    observation = brief.observation
    while True:
        walked = unresolved(observation)
        if not walked:
            observation = (yield hold()).observation
        for proposal in walked:
            observation = (yield approve(proposal)).observation


@supervisor("rule", suite=SUITE)
def rule(brief: Brief) -> Play:
    """Reads a pull request or CI run before each decision, blocks what touches payments, approves the rest."""
    observation = brief.observation
    while True:
        for proposal in unresolved(observation):
            ref = _first_ref(proposal, ("pr_", "ci_run_"))
            if ref is not None and observation["evidence_actions_remaining"] > 0:
                yield inspect(ref)
            decision = block(proposal, "S2") if "payments" in proposal["risk"] else approve(proposal)
            observation = (yield decision).observation


@supervisor("phase-aware", suite=SUITE)
def phase_aware(brief: Brief) -> Play:
    """Reads the riskiest ship request, holds when out of evidence, blocks what lists a rule, approves the rest."""
    observation = brief.observation
    while True:
        ref = _ref_to_inspect(observation)
        if ref is not None and observation["evidence_actions_remaining"] > 0:
            observation = (yield inspect(ref)).observation
        if observation["evidence_actions_remaining"] == 0 and _riskiest(observation) is not None:
            observation = (yield hold()).observation
            continue
        for proposal in unresolved(observation):
            listed = proposal["possible_rule_violations"]
            observation = (yield block(proposal, listed[0]) if listed else approve(proposal)).observation


def _first_ref(proposal: Json, prefixes: tuple[str, ...]) -> str | None:
    return next((ref for ref in proposal["refs"] if ref.startswith(prefixes)), None)


def _riskiest(observation: Json) -> tuple[Json, str] | None:
    """Return the unresolved ship request of the most urgent risk, with that risk."""
    ships = [proposal for proposal in unresolved(observation) if proposal["request"] == SHIP]
    return next(((ship, risk) for risk in REF_ORDER for ship in ships if risk in ship["risk"]), None)


def _ref_to_inspect(observation: Json) -> str | None:
    target = _riskiest(observation)
    if target is None:
        return None
    proposal, risk = target
    return _first_of(_first_ref(proposal, (prefix,)) for prefix in REF_ORDER[risk])


def _first_of(refs: Iterable[str | None]) -> str | None:
    return next((ref for ref in refs if ref is not None), None)
