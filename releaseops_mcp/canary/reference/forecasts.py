"""What a look would show, were it taken: per particle a mean and a variance, so that its worth can be weighed."""

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.latents import OWN_PHI
from releaseops_mcp.canary.metrics import BASELINE, CANARY
from releaseops_mcp.canary.reference.crowding import RATIO_SD
from releaseops_mcp.canary.reference.evidence import SHARPEST
from releaseops_mcp.canary.reference.memory import GAIN, GAIN_SD
from releaseops_mcp.canary.reference.particles import MEMBERS, SEGMENT
from releaseops_mcp.canary.reference.state import COUNTS, QUANTILES, State
from releaseops_mcp.canary.traffic import MEMORY_NOISE

Array = NDArray[np.float64]

LOOKS = ("errors", "latency_p99", "conversion", "downstream_errors", "segment_errors", "latency_p50", "memory", "cpu")
"""Metrics that are worth a look; `requests` shows in all of them."""


def forecast(state: State, metric: str, start: int, end: int, share: float) -> tuple[Array, Array]:
    """Return (particles,) mean and variance of the canary's log ratio to the baseline over start .. end - 1."""
    if metric in COUNTS:
        return _counts(state, metric, start, end, share)
    if metric in QUANTILES:
        return _quantiles(state, metric, start, end, share)
    return {"segment_errors": _segment, "memory": _memory, "cpu": _cpu}[metric](state, start, end, share)


def settled(minutes: float) -> float:
    """Return the variance of an AR(1)'s mean over so many minutes, relative to that of one minute."""
    keep, count = OWN_PHI, max(minutes, 1.0)
    return float((count * (1 - keep**2) - 2 * keep * (1 - keep**count)) / (count**2 * (1 - keep) ** 2))


def _noise(state: State, metric: str, start: int, end: int) -> tuple[Array, Array]:
    mean, variance = state.chain(metric, "fresh").ahead(0.5 * (start + end))
    return mean, variance * settled(end - start)


def _counts(state: State, metric: str, start: int, end: int, share: float) -> tuple[Array, Array]:
    levels = state.count_levels(metric, start, end, share)
    base = state.rpm * share * (end - start) * state.usual(metric, 2e-4)
    noise, variance = _noise(state, metric, start, end)
    scatter = 1.0 / (base * np.exp(levels[CANARY]) + 0.5) + 1.0 / (base * np.exp(levels[BASELINE]) + 0.5)
    return levels[CANARY] - levels[BASELINE] + noise, variance + scatter


def _quantiles(state: State, metric: str, start: int, end: int, share: float) -> tuple[Array, Array]:
    requests = np.full(3, max(state.rpm * share, 1.0))
    levels, variances = state.quantile_levels(metric, start, end, share, requests)
    noise, variance = _noise(state, metric, start, end)
    scatter = (variances[CANARY] + variances[BASELINE]) / (end - start) + SHARPEST**2
    return levels[CANARY] - levels[BASELINE] + noise, variance + scatter


def _segment(state: State, start: int, end: int, share: float) -> tuple[Array, Array]:
    own = state.particles.levels(SEGMENT, start, end, share)
    expected = own - state.particles.group(start, end, share)
    noise, variance = _noise(state, "segment_errors", start, end)
    base = MEMBERS * state.rpm * share * (end - start) * state.usual("errors", 2e-4)
    scatter = 0.7 / (base * np.exp(own[CANARY]) + 0.5) + 0.7 / (base * np.exp(own[BASELINE]) + 0.5)
    return expected[CANARY] - expected[BASELINE] + noise, variance + scatter


def _memory(state: State, start: int, end: int, share: float) -> tuple[Array, Array]:
    particles = state.particles
    kind = particles.worlds.memory[particles.rows]
    age = end / particles.worlds.memory_minutes[particles.rows]
    shape = np.where(kind == 1, age, 1.0 - np.exp(-2.0 * age)) * (kind > 0)
    known = 1.0 if "memory" not in state.seen else 0.1
    return GAIN * shape, known * (GAIN_SD * shape) ** 2 + 2.0 * MEMORY_NOISE**2 / (end - start)


def _cpu(state: State, start: int, end: int, share: float) -> tuple[Array, Array]:
    particles = state.particles
    crowding = particles.worlds.crowding[particles.rows]
    gap = np.log(crowding[:, BASELINE] / crowding[:, CANARY])
    return gap, np.full(len(particles), (1.0 if "cpu" in state.seen else RATIO_SD) ** 2)
