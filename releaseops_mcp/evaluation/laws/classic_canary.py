"""The laws of `classic-canary`: what a false alarm costs, what stopping early earns, what the first look can say."""

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Action, Brief, Play, Policy
from releaseops_mcp.agents.scripted.classic_canary_policies import SUITE, TOOL, decision
from releaseops_mcp.evaluation.laws.base import Case, Finding, SuiteLaws, attempt, average
from releaseops_mcp.simulation import Simulation

SEEDS = 1_000
"""Seeds a task whose first observations are compared."""


def false_accusation(case: Case) -> Finding:
    """Let the reference play as it does; again, but crying breach at its first step; and rolling back there."""
    trials = [attempt(scenario, case.reference.policy) for scenario in case.scenarios]
    plain = [trial.reward for trial in trials]
    cried = [attempt(scenario, _crying(case.reference.policy)).reward for scenario in case.scenarios]
    rolled = [attempt(scenario, _rolling_back).reward for scenario in case.scenarios]
    cheapest = min(before - after for after in (cried, rolled) for before, after in zip(plain, after, strict=True))
    return Finding(
        suite=SUITE,
        law="false-accusation",
        statement="A false accusation costs.",
        verdict="holds" if cheapest > 0 else "broken",
        evidence=f"in {len(plain)} worlds {case.reference.name} earns {average(plain):.4f}; calling the first, healthy "
        f"step a breach it earns {average(cried):.4f}, rolling back there {average(rolled):.4f}.",
        figures={
            "worlds": len(plain),
            "plain_mean": average(plain),
            "cried_mean": average(cried),
            "rolled_back_mean": average(rolled),
            "least_cost": cheapest,
        },
    )


def unfinished(case: Case) -> Finding:
    """Compare the reference's figure at the end with the best it had on the way: leaving there would keep it."""
    trials = {scenario: attempt(scenario, case.reference.policy) for scenario in case.scenarios}
    better = [scenario for scenario, trial in trials.items() if max(trial.running) > trial.reward]
    example = better[0] if better else case.scenarios[0]
    trial = trials[example]
    left = trial.running.index(max(trial.running)) + 1
    return Finding(
        suite=SUITE,
        law="unfinished",
        statement="An unfinished episode is never better than a finished safe one.",
        verdict="broken" if better else "holds",
        evidence=f"{case.reference.name} on {example}: {max(trial.running):.4f} if it leaves after step {left}, "
        f"{trial.reward:.4f} if it finishes; leaving early is better in {len(better)} of {len(trials)} worlds.",
        figures={
            "worlds": len(trials),
            "better": len(better),
            "example": example,
            "left": max(trial.running),
            "finished": trial.reward,
            "best_left_mean": average([max(trial.running) for trial in trials.values()]),
            "finished_mean": average([trial.reward for trial in trials.values()]),
        },
    )


def first_observation(case: Case) -> Finding:
    """Count the distinct first observations of many seeds of every task."""
    worlds = list(case.suite.grid(range(SEEDS)))
    distinct = {canonical.digest(Simulation.of(scenario).first_observation) for scenario in worlds}
    return Finding(
        suite=SUITE,
        law="first-observation",
        statement="No classifier on the first observation tells twins apart.",
        verdict="not applicable",
        evidence=f"the suite has no twins; the first observations of {SEEDS:,} seeds of each of "
        f"{len(case.suite.families)} tasks collapse to {len(distinct):,} distinct ones.",
        figures={"seeds": SEEDS, "worlds": len(worlds), "distinct": len(distinct)},
    )


SUITE_LAWS = SuiteLaws(SUITE, (false_accusation, unfinished, first_observation))


def _crying(policy: Policy) -> Policy:
    """Return a policy that acts as another does, but calls its first step a breach."""

    def play(brief: Brief) -> Play:
        inner = policy(brief)
        action = next(inner)
        accusing = {**action.arguments, "state_assessment": "breach", "slo_breach_detected": True}
        turn = yield Action(TOOL, accusing)
        while True:
            turn = yield inner.send(turn)

    return play


def _rolling_back(brief: Brief) -> Play:
    yield Action(TOOL, decision("rollback", "breach", True, "A breach is claimed where none is."))
