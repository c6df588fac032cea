"""Rows: what the episodes of one supervisor in one family came to.

An episode counts towards the mean where it has a figure and its supervisor came to an end. Those without a figure are
`unscored`, those that were stopped after the allowed number of calls are `truncated` (where exactly they are stopped
decides their figure); both are counted beside the mean and never enter it as a number.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.statistics import Cluster, interval

ALL = "all"
"""The family of the row over all families."""
LEFT = "left"
"""Stands for the terminal reason of an episode that its supervisor left without one."""


class Row(BaseModel):
    """One line of an evaluation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    agent: str
    degenerate: bool
    """Whether the supervisor needs no judgement."""
    family: str
    """A family, or `all`."""
    episodes: int
    scored: int
    """Episodes behind the mean."""
    unscored: int
    truncated: int
    mean: float | None
    """Mean reward, not rounded; None where no episode is scored."""
    ci95: tuple[float, float] | None
    """95 % bootstrap interval of the mean, clustered by scenario; None below two scenarios."""
    outcomes: dict[str, float]
    """Share of the scored episodes by terminal reason."""
    invalid_rate: float | None
    """Refused calls as a share of all calls of the scored episodes; None where there was no call."""
    steps_mean: float | None
    metrics: dict[str, float]
    """Mean of each numeric metric of the reward over the scored episodes."""


class Cell:
    """Counts the episodes behind one row; its size grows with the scenarios, not with the episodes."""

    def __init__(self) -> None:
        self.episodes = self.scored = self.unscored = self.truncated = self.steps = self.invalid = 0
        self.total = 0.0
        self.outcomes: Counter[str] = Counter()
        self.metrics: dict[str, float] = {}
        self.clusters: dict[str, Cluster] = {}

    def add(self, played: Played) -> None:
        """Count one episode."""
        self.episodes += 1
        if played.reward is None:
            self.unscored += 1
        elif played.truncated:
            self.truncated += 1
        else:
            self._add_scored(played, played.reward)

    def _add_scored(self, played: Played, reward: float) -> None:
        self.scored += 1
        self.total += reward
        self.steps += played.steps
        self.invalid += played.invalid
        self.outcomes[played.terminal_reason or LEFT] += 1
        before = self.clusters.get(played.scenario, Cluster(0.0, 0))
        self.clusters[played.scenario] = Cluster(before.total + reward, before.episodes + 1)
        for name, value in played.metrics.items():
            if isinstance(value, (int, float)):
                self.metrics[name] = self.metrics.get(name, 0.0) + value

    @property
    def mean(self) -> float | None:
        """Sum divided by count, in the order of play, as the originals did; None where nothing is scored."""
        return self.total / self.scored if self.scored else None

    def facts(self) -> dict[str, Any]:
        """Return the fields of a row that do not name it."""
        count = self.scored
        return {
            "episodes": self.episodes,
            "scored": count,
            "unscored": self.unscored,
            "truncated": self.truncated,
            "mean": self.mean,
            "ci95": interval(list(self.clusters.values())),
            "outcomes": {reason: number / count for reason, number in sorted(self.outcomes.items())},
            "invalid_rate": self.invalid / self.steps if self.steps else None,
            "steps_mean": self.steps / count if count else None,
            "metrics": {name: value / count for name, value in self.metrics.items()},
        }


class Tables:
    """The cells of an evaluation, by agent and family."""

    def __init__(self, suite: str, degenerate: Iterable[str] = ()) -> None:
        self.suite = suite
        self.degenerate = frozenset(degenerate)
        self.cells: dict[tuple[str, str], Cell] = {}

    def add(self, played: Played) -> None:
        """Count one episode in its family and in `all`."""
        for family in (ALL, played.family):
            self.cells.setdefault((played.agent, family), Cell()).add(played)

    def agents(self) -> list[str]:
        """Return the agents in order of their first episode."""
        return list(dict.fromkeys(agent for agent, _ in self.cells))

    def families(self) -> list[str]:
        """Return the families in order of their first episode, `all` last."""
        return [*(name for name in dict.fromkeys(family for _, family in self.cells) if name != ALL), ALL]

    def mean(self, agent: str, family: str = ALL) -> float | None:
        """Return one mean; None where nothing is scored."""
        cell = self.cells.get((agent, family))
        return cell.mean if cell else None

    def rows(self) -> Iterator[Row]:
        """Yield the rows agent by agent, each family and then `all`."""
        for agent in self.agents():
            for family in self.families():
                cell = self.cells.get((agent, family))
                if cell is not None:
                    yield Row(
                        suite=self.suite,
                        agent=agent,
                        degenerate=agent in self.degenerate,
                        family=family,
                        **cell.facts(),
                    )
