"""Start-state rows for on-policy training: scenarios, weighted by what is still to be learnt in them.

The regret of a scenario is how far its agents' mean returns stay, on average, below the best that is known: the
clairvoyant's figure where the suite has a solver, else the best agent's mean. The spread is the standard deviation
over those means: where all agents earn alike, a group of rollouts will too, and has no gradient. The weight of a
scenario is regret plus spread, over the mean of all such sums, plus a floor, so that nothing is never seen again.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.random import PCG64, Generator
from pydantic import Field

from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.evaluation.measures import measures_of
from releaseops_mcp.log.blobs import Blobs
from training.conversation import opening
from training.datasets.base import Again, Collector, Kind, Options
from training.datasets.rollout import Rollout
from training.datasets.scratch import Group, Groups


class StartOptions(Options):
    """How scenarios become rows."""

    draw: int = Field(default=0, ge=0)
    """Draw so many rows in proportion to their weights; 0 for one row a scenario."""
    floor: float = Field(default=0.1, ge=0)
    """Weight that every scenario has."""
    seed: int = 0
    """For the draw."""


class Played(NamedTuple):
    """What one agent earned once."""

    scenario: str
    agent: str
    reward: float


class StartKind(Kind[StartOptions, Played]):
    """Start states."""

    name = "starts"
    summary = "Scenarios weighted by regret and by the spread of return over agents, for on-policy training."
    options = StartOptions

    def pick(self, rollout: Rollout, blobs: Blobs | None) -> Iterable[Played]:
        """Return what was earned in the episode's scenario."""
        return [Played(rollout.scenario, rollout.agent, rollout.reward)]

    def collector(self) -> "StartCollector":
        """Return an empty collector."""
        return StartCollector(self.chosen)


class StartCollector(Collector[Played]):
    """Sums up what each agent earned in each scenario."""

    def __init__(self, chosen: StartOptions) -> None:
        super().__init__()
        self._chosen = chosen
        self._groups = Groups()

    def add(self, picked: Played) -> None:
        """Take in what was earned once."""
        self._groups.add(picked.scenario, picked.agent, picked.reward)

    def rows(self, again: Again) -> Iterator[str]:
        """Yield a row a scenario in order of their ids, or as many as are to be drawn."""
        wanting = np.array([sum(_regret_and_spread(agents)) for agents in self._groups.by_key()])
        scale = float(wanting.mean()) if len(wanting) else 0.0
        weights = (wanting / scale if scale > 0 else np.zeros_like(wanting)) + self._chosen.floor
        times = self._drawn(weights)
        for agents, weight, count in zip(self._groups.by_key(), weights, times, strict=True):
            line = json.dumps(_row(agents, float(weight)))
            yield from (line for _ in range(count))

    def close(self) -> None:
        """Delete the sums."""
        self._groups.close()

    def _drawn(self, weights: Any) -> list[int]:
        """Return how often each scenario is drawn: systematic resampling, off from fair by under 1."""
        if not self._chosen.draw or not len(weights):
            return [1] * len(weights)
        if not weights.sum() > 0:
            weights = np.ones_like(weights)
        offset = Generator(PCG64(self._chosen.seed)).random()
        edges = np.cumsum(weights) / weights.sum() * self._chosen.draw + offset
        return np.diff(np.floor(edges), prepend=np.floor(offset)).astype(int).tolist()


def _row(agents: list[Group], weight: float) -> dict[str, Any]:
    scenario_id = agents[0].key
    suite = suite_of(scenario_id)
    scenario = suite.parse(scenario_id)
    regret, spread = _regret_and_spread(agents)
    return {
        "prompt": opening(suite, None),
        "environment": suite.name,
        "suite": suite.name,
        "scenario": scenario_id,
        "family": scenario.family,
        "weight": weight,
        "regret": regret,
        "spread": spread,
        "agents": len(agents),
        "episodes": sum(agent.episodes for agent in agents),
    }


def _regret_and_spread(agents: list[Group]) -> tuple[float, float]:
    means = np.array([agent.mean for agent in agents])
    solve = measures_of(suite_of(agents[0].key).name).clairvoyant
    solved = solve(agents[0].key) if solve is not None else None
    best = float(means.max()) if solved is None else max(solved, float(means.max()))
    return best - float(means.mean()), float(means.std())


KIND = StartKind
