"""The laws of `gate`: what a false accusation costs, what leaving earns, what the first look can say, the ceiling."""

from releaseops_mcp.agents.base import Brief, Play, Policy
from releaseops_mcp.agents.scripted.gate.clairvoyant import clairvoyant
from releaseops_mcp.agents.scripted.gate.moves import SHIP, SUITE, block, waiting
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.evaluation.laws.base import Case, Finding, SuiteLaws, attempt, average
from releaseops_mcp.evaluation.laws.leaving import leaving
from releaseops_mcp.evaluation.laws.twins import begin_alike
from releaseops_mcp.simulation import Simulation
from releaseops_mcp.world import scenario as scenarios
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.scenario import CLEAN

ANY_RULE = "test_presence"
TOLERANCE = 0.02
"""By how much a policy may exceed the tried plans of full knowledge."""


def false_accusation(case: Case) -> Finding:
    """Let the reference play as it does, and again after it has blocked a sound proposal that asks for no ship."""
    costs: list[float] = []
    for scenario in case.scenarios:
        sound = _sound(scenario)
        if sound is not None:
            accusing = _accusing(sound, case.reference.policy)
            costs.append(attempt(scenario, case.reference.policy).reward - attempt(scenario, accusing).reward)
    return Finding(
        suite=SUITE,
        law="false-accusation",
        statement="A false accusation costs.",
        verdict="not applicable" if not costs else "holds" if min(costs) > 0 else "broken",
        evidence=f"{case.reference.name} blocks a sound proposal first in {len(costs)} worlds: it costs "
        f"{average(costs) if costs else 0:.2f} on average, {min(costs, default=0):.2f} at least.",
        figures={
            "worlds": len(costs),
            "mean_cost": average(costs) if costs else None,
            "least_cost": min(costs, default=None),
        },
    )


def unfinished(case: Case) -> Finding:
    """Compare leaving with the best end of the world."""
    return leaving(case, _best, "the best end")


def first_observation(case: Case) -> Finding:
    """Compare the first observation of each world with its twin's."""
    named = map(scenarios.parse, case.scenarios)
    return begin_alike(case, ((name.id, name.other.id) for name in named if name.kind != CLEAN))


def full_knowledge(case: Case) -> Finding:
    """Compare the reference's figure in every scenario with the best end that full knowledge finds."""
    beyond = [
        (scenario, attempt(scenario, case.reference.policy).reward - _best(scenario)) for scenario in case.scenarios
    ]
    above = [(scenario, excess) for scenario, excess in beyond if excess > TOLERANCE]
    return Finding(
        suite=SUITE,
        law="full-knowledge",
        statement="The reference never exceeds what full knowledge can reach.",
        verdict="broken" if above else "holds",
        evidence=f"{case.reference.name} in {len(case.scenarios)} worlds: above the best end in {len(above)}"
        + (f", such as {above[0][0]} by {above[0][1]:.3f}." if above else "."),
        figures={"worlds": len(case.scenarios), "above": len(above)},
    )


SUITE_LAWS = SuiteLaws(SUITE, (false_accusation, unfinished, first_observation, full_knowledge))
"""The laws that take the suite's own words to measure."""


def _accusing(proposal: Json, policy: Policy) -> Policy:
    """Return the policy that blocks one proposal before another policy takes over."""

    def play(brief: Brief) -> Play:
        turn = yield block(proposal, ANY_RULE)
        yield from policy(Brief(turn.observation, brief.tools, brief.seed))

    return play


def _sound(scenario: str) -> Json | None:
    """Return the first proposal shown that is to be approved and asks for no ship, or None."""
    world = Simulation.of(scenario)
    truth = world.episode.truth()["proposals"]
    shown = [proposal for proposal in waiting(world.first_observation) if proposal["request"] != SHIP]
    sound = (each for each in shown if truth[each["id"]]["versions"][0]["verdicts"][0] == "approve")
    return next(sound, None)


def _best(scenario: str) -> float:
    return clairvoyant(generate(scenarios.parse(scenario))).value
