"""Yardsticks: what the scripted supervisors, and the clairvoyant where a suite has one, earn in the same scenarios.

They are played in memory, unlogged, where they are not among the agents of a run: every row then has something beside
it to be read against.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import EnvironmentFault
from releaseops_mcp.evaluation.laws.base import attempt
from releaseops_mcp.evaluation.measures import measures_of
from releaseops_mcp.evaluation.statistics import Cluster, interval
from releaseops_mcp.evaluation.tables import ALL

Role = Literal["clairvoyant", "reference", "degenerate"]
CLAIRVOYANT = "clairvoyant"


class Yardstick(BaseModel):
    """One yardstick's figures on one suite."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    name: str
    role: Role
    figures: dict[str, float]
    """By scenario."""
    failed: int = 0
    """Scenarios without a figure, because the world or the policy raised."""

    @property
    def mean(self) -> float:
        """Mean over the scenarios."""
        return sum(self.figures.values()) / len(self.figures)

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Interval of the mean."""
        return interval([Cluster(figure, 1) for figure in self.figures.values()])

    def family_means(self) -> dict[str, float]:
        """Return the mean of each family, and of `all`."""
        suite = suites()[self.suite]
        grouped: dict[str, list[float]] = {}
        for scenario, figure in self.figures.items():
            grouped.setdefault(suite.parse(scenario).family, []).append(figure)
        return {name: sum(found) / len(found) for name, found in grouped.items()} | {ALL: self.mean}


def yardsticks(suite: str, scenarios: Iterable[str], *, without: Collection[str] = ()) -> Iterator[Yardstick]:
    """Yield the yardsticks of a suite on these scenarios, but for those `without`, which have played themselves."""
    distinct = list(dict.fromkeys(scenarios))
    measures = measures_of(suite)
    if not distinct or suite not in suites():
        return
    if measures.clairvoyant is not None:
        best = {scenario: figure for scenario in distinct if (figure := measures.clairvoyant(scenario)) is not None}
        if best:
            yield Yardstick(suite=suite, name=CLAIRVOYANT, role="clairvoyant", figures=best)
    for supervisor in supervisors_for(suite):
        role = role_of(supervisor)
        if role is not None and supervisor.name not in without:
            figures, failed = _figures(supervisor, distinct)
            if figures:
                yield Yardstick(suite=suite, name=supervisor.name, role=role, figures=figures, failed=failed)


def role_of(supervisor: Supervisor) -> Role | None:
    """Return what a supervisor is a yardstick of, or None where it is none."""
    if supervisor.name == measures_of(supervisor.suite).reference:
        return "reference"
    return "degenerate" if supervisor.degenerate else None


def _figures(supervisor: Supervisor, scenarios: Iterable[str]) -> tuple[dict[str, float], int]:
    figures: dict[str, float] = {}
    failed = 0
    for scenario in scenarios:
        try:
            figures[scenario] = _figure(supervisor, scenario)
        except EnvironmentFault:
            failed += 1
    return figures, failed


def _figure(supervisor: Supervisor, scenario: str) -> float:
    try:
        return attempt(scenario, supervisor.policy).reward
    except Exception as error:
        raise EnvironmentFault(f"{supervisor.name} could not play {scenario}: {type(error).__name__}") from error
