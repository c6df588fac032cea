"""The suite `canary` in process, without a log: a fresh world, a decision, a look."""

import statistics
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice

from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.simulation import Simulation
from tests.bench.figures import Figure, cpu_ms, median_cpu_ms

STEP = ("decide_rollout", {"action_type": "hold", "diagnosis": "healthy"})
LOOK = ("inspect_metric", {"metric": "latency_p99", "window": 30})
WORLDS = 500
CALLS = 4_000
PLAYS = 40
"""Worlds that the calls go round."""


def figures() -> Iterator[Figure]:
    yield Figure("reset canary, no log", median_cpu_ms(_reset, WORLDS), "ms", 5.0)
    yield Figure("step canary, no log", _call_ms(*STEP), "ms", 0.3)
    yield Figure("look canary, no log", _call_ms(*LOOK), "ms", 0.3)


def _scenario(seed: int) -> str:
    return f"canary/{SUITE.families[seed % len(SUITE.families)]}/seed-{seed}"


def _reset(seed: int) -> Simulation:
    return Simulation.of(_scenario(seed))


def _call_ms(tool: str, arguments: dict[str, object]) -> float:
    """Return the median milliseconds of a call; a world that is over is replaced outside the measurement."""
    return statistics.median(cpu_ms(partial(playing.call, tool, arguments)) for playing in islice(_ready(), CALLS))


def _ready() -> Iterator[Simulation]:
    """Yield simulations that are not over, in turn."""
    playing = {seed: _reset(seed) for seed in range(PLAYS)}
    for seed in cycle(range(PLAYS)):
        if playing[seed].done:
            playing[seed] = _reset(seed)
        yield playing[seed]
