"""The laws of `canary`: what a false alarm costs, what leaving early earns, what the first look can say."""

from releaseops_mcp.agents.base import Brief, Play
from releaseops_mcp.agents.scripted.canary.degenerate import always_rollback
from releaseops_mcp.agents.scripted.canary.moves import SUITE, increase
from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.evaluation.laws.base import Case, Finding, SuiteLaws, attempt, average
from releaseops_mcp.evaluation.laws.leaving import leaving
from releaseops_mcp.evaluation.laws.twins import begin_alike
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
    """Compare leaving with rolling a bad change back at once, and promoting a sound one."""
    return leaving(
        case,
        lambda scenario: attempt(scenario, always_rollback if _is_bad(scenario) else _promote).reward,
        "a safe finish",
    )


def first_observation(case: Case) -> Finding:
    """Compare the first observation of each world with its twin's."""
    return begin_alike(case, ((scenario, _twin_of(scenario)) for scenario in case.scenarios))


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


def _mean(values: list[float]) -> str:
    return f"{average(values):.2f}" if values else "nothing"
