"""A running server for tests, and a policy's expected play on the suite itself."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from releaseops_mcp.artifacts.server import temporary_server
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.simulation import Judged, Simulation

Json = dict[str, Any]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a server with an empty log, shared by a module's tests."""
    with temporary_server() as url:
        yield url


def judged(task: str, rule: Callable[[Json], Json], seed: int = 0) -> list[tuple[Json, Judged]]:
    """Let a rule play a task on the suite, without any door; return each decision with what it came to."""
    simulation = Simulation.of(scenario_id(task, seed))
    observation, played = simulation.first_observation, []
    while not simulation.done:
        decision = rule(observation)
        came = simulation.call("decide_rollout", decision)
        played.append((decision, came))
        observation = came.observation
    return played
