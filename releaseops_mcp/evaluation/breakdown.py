"""Figures by every group that a suite names: mean reward of whole episodes, and right decisions within them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.statistics import Cluster, interval

NOTHING = Cluster(0.0, 0)


class Line(BaseModel):
    """What one agent came to in one group."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: str
    """What is grouped by."""
    name: str
    """The group."""
    agent: str
    degenerate: bool
    """Whether the supervisor needs no judgement."""
    scored: int
    """Episodes behind the mean: the scored ones whose scenario belongs to the group."""
    mean: float | None
    ci95: tuple[float, float] | None
    """95 % bootstrap interval of the mean, clustered by scenario; None below two scenarios."""
    decisions: int
    """Graded decisions in the group, of all scored episodes."""
    right: float | None
    """Share of these decisions that were right."""
    right_ci95: tuple[float, float] | None
    """95 % bootstrap interval of that share, resampling whole scenarios."""


@dataclass(slots=True)
class _Tally:
    rewards: dict[str, Cluster] = field(default_factory=dict[str, Cluster])
    decisions: dict[str, Cluster] = field(default_factory=dict[str, Cluster])


class Breakdown:
    """Counts the episodes of one suite; its size grows with groups and scenarios, not with episodes."""

    def __init__(self, degenerate: Iterable[str] = ()) -> None:
        self._degenerate = frozenset(degenerate)
        self._tallies: dict[tuple[str, str, str], _Tally] = {}

    def add_entry(self, entry: Entry) -> None:
        """Count one episode; one without a figure, or stopped at the limit of calls, is not counted."""
        played = entry.played
        if played.reward is None or played.truncated:
            return
        for each in entry.facts.slices:
            tally = self._tallies.setdefault((each.by, each.name, played.agent), _Tally())
            if each.whole:
                _count(tally.rewards, played.scenario, played.reward, 1)
            if each.decisions:
                _count(tally.decisions, played.scenario, each.right, each.decisions)

    def lines(self) -> Iterator[Line]:
        """Yield a line for each group and agent: groups of one sort together, by name, agents as they came."""
        sorts = list(dict.fromkeys(by for by, _, _ in self._tallies))
        for key in sorted(self._tallies, key=lambda key: (sorts.index(key[0]), key[1])):
            by, name, agent = key
            tally = self._tallies[key]
            rewards, decisions = list(tally.rewards.values()), list(tally.decisions.values())
            yield Line(
                by=by,
                name=name,
                agent=agent,
                degenerate=agent in self._degenerate,
                scored=sum(cluster.episodes for cluster in rewards),
                mean=_mean(rewards),
                ci95=interval(rewards),
                decisions=sum(cluster.episodes for cluster in decisions),
                right=_mean(decisions),
                right_ci95=interval(decisions),
            )


def _count(clusters: dict[str, Cluster], scenario: str, total: float, count: int) -> None:
    before = clusters.get(scenario, NOTHING)
    clusters[scenario] = Cluster(before.total + total, before.episodes + count)


def _mean(clusters: list[Cluster]) -> float | None:
    count = sum(cluster.episodes for cluster in clusters)
    return sum(cluster.total for cluster in clusters) / count if count else None
