"""What an evaluation of one suite comes to: rows, differences, yardsticks, laws, and what was not counted."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.breakdown import Line
from releaseops_mcp.evaluation.entries import is_infrastructure
from releaseops_mcp.evaluation.laws.base import Finding
from releaseops_mcp.evaluation.measures import measures_of
from releaseops_mcp.evaluation.paired import Difference, by_family
from releaseops_mcp.evaluation.statistics import Cluster
from releaseops_mcp.evaluation.tables import ALL, Row, Tables
from releaseops_mcp.evaluation.yardsticks import Yardstick

MOST_LISTED = 200
"""So many episodes that were not counted are listed one by one; the rows count all of them."""


class NotCounted(BaseModel):
    """An episode that entered no mean."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent: str
    scenario: str
    episode_id: str
    why: str
    """`unscored`, `infrastructure` or `truncated`."""
    fault: str | None

    @classmethod
    def of(cls, played: Played) -> "NotCounted | None":
        """Return why an episode is not counted, or None where it is."""
        if played.reward is not None and not played.truncated:
            return None
        why = (
            "truncated" if played.reward is not None else "infrastructure" if is_infrastructure(played) else "unscored"
        )
        return cls(
            agent=played.agent, scenario=played.scenario, episode_id=played.episode_id, why=why, fault=played.fault
        )


class Summary(BaseModel):
    """What an evaluation of one suite comes to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    reference: str
    """The agent or yardstick that differences and regrets are measured against; empty where the suite names none."""
    rows: list[Row]
    kinds: list[Row]
    """The same by kind of scenario; empty where the suite has no kinds."""
    differences: list[Difference]
    """Each agent less the reference, by family."""
    yardsticks: list[Yardstick]
    laws: list[Finding]
    not_counted: list[NotCounted]
    breakdown: list[Line] = []
    """The agents in every group that the suite names; empty where it names none."""


def summarise(
    tables: Tables,
    kinds: Tables,
    *,
    laws: Sequence[Finding] = (),
    sticks: Iterable[Yardstick] = (),
    not_counted: Iterable[NotCounted] = (),
    breakdown: Iterable[Line] = (),
) -> Summary:
    """Gather what is known of one suite."""
    found = list(sticks)
    reference = measures_of(tables.suite).reference
    measured = reference in tables.agents() or any(stick.name == reference for stick in found)
    return Summary(
        suite=tables.suite,
        reference=reference if measured else "",
        rows=list(tables.rows()),
        kinds=list(kinds.rows()),
        differences=_differences(tables, reference, found) if measured else [],
        yardsticks=found,
        laws=list(laws),
        not_counted=list(not_counted)[:MOST_LISTED],
        breakdown=list(breakdown),
    )


def reference_figures(tables: Tables, reference: str, sticks: Iterable[Yardstick]) -> dict[str, float]:
    """Return the reference's mean figure by scenario: of the agent, or of the yardstick, of that name."""
    cell = tables.cells.get((reference, ALL))
    if cell is not None:
        return {scenario: each.total / each.episodes for scenario, each in cell.clusters.items()}
    return next((stick.figures for stick in sticks if stick.name == reference), dict[str, float]())


def _differences(tables: Tables, reference: str, sticks: Sequence[Yardstick]) -> list[Difference]:
    figures = reference_figures(tables, reference, sticks)
    theirs = {agent: _restricted(tables.clusters(agent), figures) for agent in tables.agents() if agent != reference}
    return [
        difference
        for agent, (ours, other) in theirs.items()
        for difference in by_family(ours, other, suite=tables.suite, agent=agent, other=reference)
    ]


def _restricted(
    ours: Mapping[str, Mapping[str, Cluster]], figures: Mapping[str, float]
) -> tuple[Mapping[str, Mapping[str, Cluster]], Mapping[str, Mapping[str, Cluster]]]:
    """Return one agent's clusters, and the reference's figures in the same families."""
    other = {
        family: {scenario: Cluster(figures[scenario], 1) for scenario in clusters if scenario in figures}
        for family, clusters in ours.items()
    }
    return ours, other
