"""What a law's measurement starts from, what it returns, and how a play is tried without logging it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.base import Action, Brief, Policy, Supervisor, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.runner import turn_of
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.evaluation.runs import Run, draw_seed
from releaseops_mcp.simulation import Simulation

Verdict = Literal["holds", "broken", "not applicable"]

MOST_SCENARIOS = 200
"""A law is measured on at most this many of a run's scenarios."""


class Finding(BaseModel):
    """What measuring one law on one suite has shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    law: str
    """Short name."""
    statement: str
    """The law, as a sentence."""
    verdict: Verdict
    evidence: str
    """What was done and what came out, with the figures."""
    figures: dict[str, Any]
    """The same figures for a script."""


@dataclass(frozen=True, slots=True)
class Case:
    """A run of every supervisor of a suite, and the best of those that judge."""

    run: Run
    reference: Supervisor

    @property
    def suite(self) -> Suite:
        """The suite that was played."""
        return suites()[self.run.tables.suite]

    @property
    def scenarios(self) -> Sequence[str]:
        """The run's distinct scenarios, at most MOST_SCENARIOS of them, evenly spread over the run."""
        distinct = list(dict.fromkeys(self.run.scenarios))
        stride = -(-len(distinct) // MOST_SCENARIOS)
        return distinct[::stride]


Law = Callable[[Case], Finding]


@dataclass(frozen=True, slots=True)
class SuiteLaws:
    """The laws that take a suite's own words to measure."""

    suite: str
    laws: tuple[Law, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """One play in memory."""

    reward: float
    running: tuple[float, ...]
    """The figure after each call."""
    terminal_reason: str | None


def attempt(scenario: str, policy: Policy) -> Trial:
    """Play a scenario in memory, unlogged, and return what the scorer says of it."""
    simulation = Simulation.of(scenario)
    running: list[float] = []

    def apply(action: Action) -> Turn:
        judged = simulation.call(action.tool, action.arguments)
        running.append(simulation.score().total)
        return turn_of(judged)

    brief = Brief(simulation.first_observation, simulation.suite.tools, draw_seed(scenario))
    drive(policy, brief, apply)
    return Trial(simulation.score().total, tuple(running), simulation.episode.terminal_reason)


def wider(case: Case, seeds: int) -> Iterator[str]:
    """Yield the run's scenarios, then those of the suite's grid, for laws that need a world of some kind."""
    yield from case.scenarios
    yield from islice(case.suite.grid(range(seeds)), seeds * len(case.suite.families))


def average(values: Sequence[float]) -> float:
    """Return sum divided by count."""
    return sum(values) / len(values)
