"""The laws of `gate`: what a false accusation costs, what leaving earns, what the first look can say, the ceiling."""

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Brief, Play, Policy
from releaseops_mcp.agents.scripted.gate.clairvoyant import clairvoyant
from releaseops_mcp.agents.scripted.gate.moves import SHIP, SUITE, block, waiting
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.evaluation.laws.base import Case, Finding, SuiteLaws, attempt, average
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
    """Compare the best figure that the reference could leave with, at any moment, with the best end of the world."""
    margins: list[float] = []
    for scenario in case.scenarios:
        trial = attempt(scenario, case.reference.policy)
        figures = trial.running[: len(trial.running) - (trial.terminal_reason is not None)]
        margins.append(_best(scenario) - max((Simulation.of(scenario).score().total, *figures)))
    better = sum(margin < 0 for margin in margins)
    return Finding(
        suite=SUITE,
        law="unfinished",
        statement="An unfinished episode is never better than a finished safe one.",
        verdict="broken" if better else "holds",
        evidence=f"in {len(margins)} worlds the best end beats leaving, at the best moment of {case.reference.name}'s "
        f"play, by {average(margins):.2f} on average and {min(margins):.2f} at least; leaving is better in {better}.",
        figures={"worlds": len(margins), "better": better, "least_margin": min(margins)},
    )


def first_observation(case: Case) -> Finding:
    """Compare the first observation of each world with its twin's: what is the same byte for byte tells nothing."""
    pairs = [name for name in map(scenarios.parse, case.scenarios) if name.kind != CLEAN]
    different = [name.id for name in pairs if _first_look(name.id) != _first_look(name.other.id)]
    return Finding(
        suite=SUITE,
        law="first-observation",
        statement="No classifier on the first observation tells twins apart.",
        verdict="broken" if different else "holds",
        evidence=f"the first observations of {len(pairs)} worlds and their twins: {len(different)} pairs differ"
        + (f", such as {different[0]}." if different else "; all are the same byte for byte."),
        figures={"pairs": len(pairs), "different": len(different), "examples": different[:5]},
    )


def full_knowledge(case: Case) -> Finding:
    """Compare the reference's figure in every scenario with the best end that full knowledge finds."""
    above = [
        (scenario, figure - _best(scenario))
        for scenario in case.scenarios
        if (figure := attempt(scenario, case.reference.policy).reward) > _best(scenario) + TOLERANCE
    ]
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


def _first_look(scenario: str) -> str:
    return canonical.digest(Simulation.of(scenario).first_observation)


def _best(scenario: str) -> float:
    return clairvoyant(generate(scenarios.parse(scenario))).value
