"""The laws of `canary`: what a false alarm costs, what leaving early earns, what the first look can say."""

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Brief, Play
from releaseops_mcp.agents.scripted.canary.degenerate import always_rollback
from releaseops_mcp.agents.scripted.canary.moves import SUITE, increase
from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.evaluation.laws.base import Case, Finding, SuiteLaws, attempt, average
from releaseops_mcp.simulation import Simulation


def false_accusation(case: Case) -> Finding:
    """Roll every sound change back at once, and compare with promoting it."""
    sound = [scenario for scenario in case.scenarios if not _is_bad(scenario)]
    promoted = [attempt(scenario, _promote).reward for scenario in sound]
    accused = [attempt(scenario, always_rollback).reward for scenario in sound]
    costs = [before - after for before, after in zip(promoted, accused, strict=True)]
    return Finding(
        suite=SUITE,
        law="false-accusation",
        statement="A false accusation costs.",
        verdict="not applicable" if not costs else "holds" if min(costs) > 0 else "broken",
        evidence=f"in {len(costs)} worlds with a sound change, promoting it earns {_mean(promoted)}, rolling it back "
        f"{_mean(accused)}.",
        figures={
            "worlds": len(costs),
            "promoted_mean": average(promoted) if promoted else None,
            "accused_mean": average(accused) if accused else None,
            "least_cost": min(costs, default=None),
        },
    )


def unfinished(case: Case) -> Finding:
    """Compare the best figure that the reference could leave with, at any moment, with a safe finish of the world."""
    margins: list[float] = []
    for scenario in case.scenarios:
        begun = Simulation.of(scenario).score().total
        trial = attempt(scenario, case.reference.policy)
        unfinished_figures = trial.running[: len(trial.running) - (trial.terminal_reason is not None)]
        safe = attempt(scenario, always_rollback if _is_bad(scenario) else _promote).reward
        margins.append(safe - max((begun, *unfinished_figures)))
    better = sum(margin < 0 for margin in margins)
    return Finding(
        suite=SUITE,
        law="unfinished",
        statement="An unfinished episode is never better than a finished safe one.",
        verdict="broken" if better else "holds",
        evidence=f"in {len(margins)} worlds a safe finish beats leaving, at the best moment of {case.reference.name}'s "
        f"play, by {average(margins):.2f} on average and {min(margins):.2f} at least; leaving is better in {better}.",
        figures={
            "worlds": len(margins),
            "better": better,
            "mean_margin": average(margins),
            "least_margin": min(margins),
        },
    )


def first_observation(case: Case) -> Finding:
    """Compare the first observation of each world with its twin's: what is the same byte for byte tells nothing."""
    pairs = {scenario: _twin_of(scenario) for scenario in case.scenarios}
    different = [scenario for scenario, twin in pairs.items() if _first_look(scenario) != _first_look(twin)]
    return Finding(
        suite=SUITE,
        law="first-observation",
        statement="No classifier on the first observation tells twins apart.",
        verdict="broken" if different else "holds",
        evidence=f"the first observations of {len(pairs)} worlds and their twins: {len(different)} pairs differ"
        + (f", such as {different[0]}." if different else "; all are the same byte for byte."),
        figures={"pairs": len(pairs), "different": len(different), "examples": different[:5]},
    )


SUITE_LAWS = SuiteLaws(SUITE, (false_accusation, unfinished, first_observation))


def _promote(brief: Brief) -> Play:
    while True:
        yield increase(25)


def _is_bad(scenario: str) -> bool:
    bad: bool = Simulation.of(scenario).episode.truth()["bad"]
    return bad


def _twin_of(scenario: str) -> str:
    """Return the id of the same seed's opposite truth."""
    family = suite_of(scenario).parse(scenario).family
    other = family.removesuffix(TWIN) if family.endswith(TWIN) else family + TWIN
    return scenario.replace(f"/{family}/", f"/{other}/")


def _first_look(scenario: str) -> str:
    return canonical.digest(Simulation.of(scenario).first_observation)


def _mean(values: list[float]) -> str:
    return f"{average(values):.2f}" if values else "nothing"
