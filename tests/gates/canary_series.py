"""Whether generated series look like real ones over two weeks (C7).

The ranges are those of the real series in the Numenta Anomaly Benchmark (server, network and application metrics,
4,000 points of five minutes each); the simulator is run for as long, and its series are averaged over five minutes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.latents import latents_of
from releaseops_mcp.canary.metrics import CANARY
from releaseops_mcp.canary.scenarios import DISPLAY, LATENTS, SAMPLES, stream, world_of
from releaseops_mcp.canary.traffic import Rollout, Shares
from releaseops_mcp.canary.world import DECISIONS, START_WEIGHT, Regression, World
from tests.gates.gate import Gate, at_least
from tests.gates.lab import autocorrelation

Array = NDArray[np.float64]

DAYS, BUCKET = 14, 5
MINUTES = DAYS * 24 * 60
WORLDS_A_FAMILY = 2
POOLED = ("requests", "errors", "latency_p50", "latency_p99", "conversion", "downstream_errors", "cpu")
"""Segment errors are errors once more; memory is flat but for leaks, and no measured series is like it."""
MOST_ZEROS = 0.1
"""Share of zeros up to which a real series goes; a service with rarer events has none to compare with."""
RANGES: Mapping[str, tuple[float, float]] = {
    "lag-1 autocorrelation": (-0.14, 0.99),
    "diurnal max/min": (1.02, 5.3),
    "p99/median": (1.1, 5.0),
    "gaps per 4,000": (0.0, 8.0),
}
"""Smallest and largest value that was measured on a real series."""
INSIDE = 95.0
"""Percent of the generated series that must lie inside: one may be odd, the pool may not."""
SPREAD: Mapping[str, tuple[float, float]] = {"lag-1 autocorrelation": (0.3, 0.9), "diurnal max/min": (1.2, 3.0)}
"""Values which a tenth of the pool must lie under, and a tenth over: one kind of series alone would not do."""


@dataclass(frozen=True)
class Shape:
    """What one series is like, in the order of RANGES."""

    values: tuple[float, ...]


def gates() -> Iterator[Gate]:
    pool = np.array([shape.values for shape in shapes(WORLDS_A_FAMILY)])
    for column, (name, (low, high)) in enumerate(RANGES.items()):
        inside = 100 * np.mean((pool[:, column] >= low) & (pool[:, column] <= high))
        middle = " to ".join(f"{value:.2f}" for value in np.quantile(pool[:, column], (0.05, 0.95)))
        note = f"of {len(pool)} series within {low:g} to {high:g}, as real ones; nine in ten at {middle}"
        yield at_least(f"C7 {name} as in real series", float(inside), INSIDE, "%", note)
    for name, (few, many) in SPREAD.items():
        column = list(RANGES).index(name)
        low, high = np.quantile(pool[:, column], (0.1, 0.9))
        text = f"{low:.2f} to {high:.2f}"
        yield Gate(f"C7 {name}, spread", text, f"from under {few} to over {many}", bool(low < few and high > many))


def shapes(worlds_a_family: int, minutes: int = MINUTES) -> list[Shape]:
    """Return what the canary's series are like in sound worlds of every family, over this long."""
    found: list[Shape] = []
    for family in families_by_id():
        for seed in range(worlds_a_family):
            world = _sound(world_of(family + TWIN, seed), minutes)
            found += [_shape(values) for values in _five_minutes(world, minutes) if _frequent(values)]
    return found


def _sound(world: World, minutes: int) -> World:
    """Return the same service without change or incident, for as long as it takes."""
    interval = minutes // DECISIONS + 1
    return replace(world, interval=interval, regression=Regression(), incidents=())


def _five_minutes(world: World, minutes: int) -> Iterator[Array]:
    """Yield each metric of the canary as shown, (buckets,), nan where no minute of a bucket was scraped."""
    streams = {purpose: stream(world.family, world.seed, purpose) for purpose in (LATENTS, SAMPLES, DISPLAY)}
    rollout = Rollout(world, latents_of(world, streams[LATENTS]), streams[SAMPLES])
    dashboard = Dashboard(world, rollout, streams[DISPLAY])
    for _ in range(0, minutes, 24 * 60):
        rollout.run(24 * 60, Shares.of(START_WEIGHT, 1.0, extended=False))
    end = (minutes - world.faults.lag - 1) // BUCKET * BUCKET
    for metric in POOLED:
        values = dashboard.series(metric, 0, end)[:, CANARY].reshape(-1, BUCKET)
        known = (~np.isnan(values)).sum(axis=1)
        yield np.where(known > 0, np.nansum(values, axis=1) / np.maximum(known, 1), np.nan)


def _frequent(values: Array) -> bool:
    return bool(np.mean(values == 0.0) <= MOST_ZEROS)


def _shape(values: Array) -> Shape:
    missing = np.isnan(values)
    filled = np.where(missing, np.nanmean(values), values)
    hour = np.arange(values.size) * BUCKET // 60 % 24
    by_hour = np.array([filled[hour == each].mean() for each in range(24)])
    median, high = np.quantile(filled, (0.5, 0.99))
    gaps = 4_000.0 * missing.mean()
    return Shape((float(autocorrelation(filled)), by_hour.max() / by_hour.min(), high / median, gaps))
