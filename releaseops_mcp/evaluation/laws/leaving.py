"""The law of suites in which an unfinished episode has a figure: leaving must never beat a finished safe one."""

from collections.abc import Callable

from releaseops_mcp.evaluation.laws.base import Case, Finding, attempt, average
from releaseops_mcp.simulation import Simulation


def leaving(case: Case, finish: Callable[[str], float], described: str) -> Finding:
    """Compare the best figure that the reference could leave with, at any moment, with what a safe finish earns.

    `finish` returns the latter for a scenario, `described` says what it is.
    """
    margins: list[float] = []
    for scenario in case.scenarios:
        trial = attempt(scenario, case.reference.policy)
        unfinished = trial.running[: len(trial.running) - (trial.terminal_reason is not None)]
        margins.append(finish(scenario) - max((Simulation.of(scenario).score().total, *unfinished)))
    better = sum(margin < 0 for margin in margins)
    return Finding(
        suite=case.suite.name,
        law="unfinished",
        statement="An unfinished episode is never better than a finished safe one.",
        verdict="broken" if better else "holds",
        evidence=f"in {len(margins)} worlds {described} beats leaving, at the best moment of {case.reference.name}'s "
        f"play, by {average(margins):.2f} on average and {min(margins):.2f} at least; leaving is better in {better}.",
        figures={
            "worlds": len(margins),
            "better": better,
            "mean_margin": average(margins),
            "least_margin": min(margins),
        },
    )
