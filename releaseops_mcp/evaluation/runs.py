"""Runs supervisors over scenarios, one episode after another, and counts as they come."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.agents.runners import Runner
from releaseops_mcp.arena import Arena
from releaseops_mcp.evaluation.tables import Tables

Progress = Callable[[Played], None]
"""Is told of each episode as it ends."""


class Figure(NamedTuple):
    """What the arena said live that an episode earned."""

    episode_id: str
    reward: float | None


class Run:
    """What came of an evaluation of one suite."""

    def __init__(self, supervisors: Sequence[Supervisor], scenarios: Sequence[str]) -> None:
        self.supervisors = supervisors
        self.scenarios = scenarios
        degenerate = (supervisor.name for supervisor in supervisors if supervisor.degenerate)
        self.tables = Tables(supervisors[0].suite, degenerate)
        self.figures: list[Figure] = []
        self.faults: list[Played] = []
        self.steps = 0
        """Judged calls."""

    def add(self, played: Played) -> None:
        """Take in one episode."""
        self.tables.add(played)
        self.figures.append(Figure(played.episode_id, played.reward))
        self.steps += played.steps
        if played.fault is not None:
            self.faults.append(played)


def draw_seed(scenario: str) -> int:
    """Return the seed for a supervisor that draws: fixed by the scenario, so that an evaluation can be repeated."""
    return int(canonical.sha256(scenario)[:12], 16)


def run(
    arena: Arena,
    supervisors: Sequence[Supervisor],
    scenarios: Sequence[str],
    *,
    runner: Runner = play_episode,
    progress: Progress | None = None,
) -> Run:
    """Let every supervisor (all of one suite) play every scenario; memory grows with the scenarios alone.

    Raises what `play_episode` raises: UnknownScenario, InvalidArgument and the errors of the log.
    """
    came = Run(supervisors, scenarios)
    for supervisor in supervisors:
        for scenario in scenarios:
            played = runner(arena, supervisor, scenario, seed=draw_seed(scenario))
            came.add(played)
            if progress is not None:
                progress(played)
    return came
