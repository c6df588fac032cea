"""The law of suites with twins: what is the same byte for byte tells nothing."""

from collections.abc import Iterable

from releaseops_mcp import canonical
from releaseops_mcp.evaluation.laws.base import Case, Finding
from releaseops_mcp.simulation import Simulation


def begin_alike(case: Case, pairs: Iterable[tuple[str, str]]) -> Finding:
    """Compare the first observation of each scenario with its twin's; `pairs` are their ids."""
    compared = list(pairs)
    different = [scenario for scenario, twin in compared if _first_look(scenario) != _first_look(twin)]
    return Finding(
        suite=case.suite.name,
        law="first-observation",
        statement="No classifier on the first observation tells twins apart.",
        verdict="broken" if different else "holds",
        evidence=f"the first observations of {len(compared)} worlds and their twins: {len(different)} pairs differ"
        + (f", such as {different[0]}." if different else "; all are the same byte for byte."),
        figures={"pairs": len(compared), "different": len(different), "examples": different[:5]},
    )


def _first_look(scenario: str) -> str:
    return canonical.digest(Simulation.of(scenario).first_observation)
