"""Worlds with chosen parameters, run on the real simulator: the laboratory of the canary's realism checks."""

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.judges import Arm, Comparison, Series
from releaseops_mcp.canary.latents import HISTORY, latents_of
from releaseops_mcp.canary.metrics import BASELINE, CANARY, METRICS, STABLE
from releaseops_mcp.canary.scenarios import DISPLAY, LATENTS, SAMPLES, stream, world_of
from releaseops_mcp.canary.traffic import Counters, Rollout, Shares
from releaseops_mcp.canary.world import START_WEIGHT, World
from tests.canary.worlds import CALM as QUIET

Array = NDArray[np.float64]

CALM = replace(
    QUIET,
    load=replace(QUIET.load, rpm=6_000.0),
    service=replace(QUIET.service, error_rate=0.003, downstream_error_rate=0.003),
)
"""A sound change on a service in which nothing moves: every check says what it adds."""


def with_load(world: World, rpm: float) -> World:
    """Return the world at another traffic, in requests a minute of all arms."""
    return replace(world, load=replace(world.load, rpm=rpm))


def with_noise(world: World, **noise: float) -> World:
    """Return the world with other noise; see `Noise`."""
    return replace(world, noise=replace(world.noise, **noise))


def run(world: World, seed: int, minutes: int, weight: float) -> Counters:
    """Return the true samples of the canary's first minutes at one weight, (minutes, arms) by name."""
    latents, samples = (np.random.Generator(np.random.PCG64([seed, stream])) for stream in (1, 2))
    rollout = Rollout(world, latents_of(world, latents), samples)
    rollout.run(minutes, Shares.of(weight, world.faults.applied_weight, extended=False))
    counters = rollout.counters(0, minutes)
    assert len(counters["requests"]) == minutes, f"the world ends before minute {minutes}"
    return counters


def counted(counters: Counters, name: str = "errors") -> Comparison:
    """Return a counted metric of all arms as a comparison for the judges."""
    events, totals = counters[name], counters["requests"]
    canary, baseline, stable = (Arm.of_counts(events[:, arm], totals[:, arm]) for arm in (CANARY, BASELINE, STABLE))
    return Comparison(series=(Series(metric=name, canary=canary, baseline=baseline, stable=stable),))


def level(counters: Counters, name: str) -> Comparison:
    """Return a metric without counts, canary and baseline, as a comparison for the judges."""
    values = counters[name]
    return Comparison(series=(Series.of(name, values[:, CANARY], values[:, BASELINE]),))


def z_scores(counters: Counters) -> Array:
    """Return (minutes,) the canary's errors against those of both old arms up to each minute, as a pooled z."""
    errors, requests = counters["errors"], counters["requests"]
    hits, total = errors[:, CANARY].cumsum(), requests[:, CANARY].cumsum()
    other_hits = errors[:, [BASELINE, STABLE]].sum(axis=1).cumsum()
    other_total = requests[:, [BASELINE, STABLE]].sum(axis=1).cumsum()
    pooled = (hits + other_hits) / (total + other_total)
    deviation = np.sqrt(pooled * (1.0 - pooled) * (1.0 / total + 1.0 / other_total))
    return (hits / total - other_hits / other_total) / np.where(deviation > 0.0, deviation, np.inf)


def share(hits: int, tries: int) -> str:
    """Return how a share in percent was found: its counts and Wilson's 95 % interval."""
    z = NormalDist().inv_cdf(0.975)
    middle = (hits + z * z / 2.0) / (tries + z * z)
    reach = z * math.sqrt(hits * (tries - hits) / tries + z * z / 4.0) / (tries + z * z)
    return f"{hits} of {tries:,} (95 % {100 * max(middle - reach, 0):.1f} to {100 * min(middle + reach, 1):.1f})"


def autocorrelation(series: Array) -> Array:
    """Return (series,) the lag-1 autocorrelation of (time, series) values."""
    apart = series - series.mean(axis=0)
    products: Array = (apart[1:] * apart[:-1]).sum(axis=0)
    return products / (apart**2).sum(axis=0)


def shown(family: str, seed: int, minutes: int) -> bytes:
    """Return what the dashboards show of all metrics and arms after the canary's first minutes, at its first weight."""
    world = world_of(family, seed)
    rollout = Rollout(world, latents_of(world, stream(family, seed, LATENTS)), stream(family, seed, SAMPLES))
    dashboard = Dashboard(world, rollout, stream(family, seed, DISPLAY))
    rollout.run(minutes, Shares.of(START_WEIGHT, world.faults.applied_weight, extended=False))
    return b"".join(dashboard.series(name, -HISTORY, minutes).tobytes() for name in METRICS)
