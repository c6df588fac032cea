"""Samples what the three arms do, minute by minute, under the weights that the supervisor chose.

Counts are negative binomial (requests) and binomial (errors, sales); a latency quantile is drawn exactly, as the order
statistic of the requests that there were: its rank's beta variate through the inverse of the mixture's distribution.
So a quantile of few requests scatters as much as it really would.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.latents import CARRIERS, HISTORY, Latents
from releaseops_mcp.canary.metrics import ARMS, CANARY, STABLE
from releaseops_mcp.canary.regressions import strength
from releaseops_mcp.canary.world import World

Array = NDArray[np.float64]

MOST_SHARE = 0.9
"""No probability goes above this, whatever multiplies it."""
GRID = np.linspace(-4.0, 12.0, 161)
"""Standardised log latencies at which the distribution is tabulated."""
_NORMAL = np.array([0.5 * math.erfc(-z / math.sqrt(2.0)) for z in GRID])
QUANTILES = (0.5, 0.99)
MOST_CANARY = 0.95
"""No canary gets more before it is promoted."""
MEMORY_NOISE = 0.01
CPU_NOISE = 0.04
FULL_CPU = 0.85
"""Processor share at which an instance can take no more."""
STABLE_CPU = 0.5
"""The stable arm is scaled to this processor share."""

Counters = Mapping[str, Array]
"""(minutes, arms) by name; see `Rollout.counters`."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Traffic by arm, each in [0, 1], as the mesh really sends it."""

    canary: float
    baseline: float

    @classmethod
    def of(cls, weight: float, applied: float, extended: bool) -> "Shares":
        """Return what the mesh sends when it is asked for a weight, which it applies times a factor."""
        canary = min(weight * applied, MOST_CANARY)
        return cls(canary, min(weight * (2.0 if extended else 1.0), 1.0 - canary))

    def split(self) -> Array:
        """Return (arms,) shares that add up to 1."""
        stable = max(round(1.0 - self.canary - self.baseline, 12), 0.0)  # no arm gets what rounding leaves over
        return np.array([self.canary, self.baseline, stable])


class Rollout:
    """The true telemetry of one rollout, as far as it has run."""

    NAMES = (
        "requests",
        "errors",
        "conversion",
        "segment_requests",
        "segment_errors",
        "downstream_errors",
        "latency_p50",
        "latency_p99",
        "memory",
        "cpu",
    )

    def __init__(self, world: World, latents: Latents, rng: np.random.Generator) -> None:
        self._world = world
        self._latents = latents
        self._rng = rng
        size = latents.load.size
        self._samples = np.full((len(self.NAMES), size, len(ARMS)), np.nan)
        self._minute = -HISTORY
        self._slow = np.interp(GRID - math.log(world.service.slow_factor) / world.service.latency_spread, GRID, _NORMAL)
        self.run(HISTORY, Shares(0.0, 0.0))

    @property
    def minute(self) -> int:
        """Minutes since the canary's first traffic."""
        return self._minute

    def counters(self, start: int, end: int) -> Counters:
        """Return the true samples of the minutes start .. end - 1 by name; nan where an arm had no traffic."""
        return dict(zip(self.NAMES, self.samples(start, end), strict=True))

    def samples(self, start: int, end: int) -> Array:
        """Return (NAMES, minutes, arms): what `counters` returns, in one array."""
        return self._samples[:, start + HISTORY : end + HISTORY]

    def run(self, minutes: int, shares: Shares) -> None:
        """Let time pass with the given traffic; stops where the world ends."""
        begin = self._minute + HISTORY
        end = min(begin + minutes, self._latents.load.size)
        if begin >= end:
            return
        rows = slice(begin, end)
        split = shares.split()
        load = self._latents.load[rows]
        expected = load[:, None] * split
        effects = self._effects(load * split[CANARY] / self._world.load.rpm, begin, end)
        requests = self._requests(expected)
        samples = self._counts(requests, effects) | self._latencies(requests, effects)
        samples |= {"requests": requests.astype(np.float64)} | self._levels(expected, begin, end)
        block = self._samples[:, rows]
        for row, name in enumerate(self.NAMES):
            block[row] = samples[name]
        block[:, :, split == 0.0] = np.nan
        self._minute += end - begin

    def _effects(self, canary_load: Array, begin: int, end: int) -> Array:
        """Return (minutes, arms, carriers): everything that multiplies a carrier's base."""
        effects = self._latents.shared[begin:end, None, :] * self._latents.own[begin:end]
        regression = self._world.regression
        if regression.effects:
            minutes = np.arange(begin, end, dtype=np.float64) - HISTORY
            active = strength(regression, minutes, canary_load)
            for carrier, ratio in regression.effects.items():
                effects[:, CANARY, CARRIERS.index(carrier)] *= np.round(ratio**active, 9)
        return effects

    def _requests(self, expected: Array) -> NDArray[np.int64]:
        kappa = self._world.load.dispersion
        if math.isinf(kappa):
            return self._rng.poisson(expected)
        return self._rng.negative_binomial(kappa, kappa / (kappa + np.maximum(expected, 1e-9)))

    def _counts(self, requests: NDArray[np.int64], effects: Array) -> dict[str, Array]:
        service, rng = self._world.service, self._rng
        errors, segment, down = effects[..., 0], effects[..., 4], effects[..., 5]
        rate = np.minimum(service.error_rate * errors, MOST_SHARE)
        segment_rate = np.minimum(service.error_rate * errors * segment, MOST_SHARE)
        members = rng.binomial(requests, service.segment_share)
        segment_errors = rng.binomial(members, segment_rate)
        others = rng.binomial(requests - members, rate)
        sales = rng.binomial(requests, np.minimum(service.conversion / effects[..., 3], MOST_SHARE))
        failed_calls = rng.binomial(requests, np.minimum(service.downstream_error_rate * down, MOST_SHARE))
        return {
            "errors": (segment_errors + others).astype(np.float64),
            "segment_requests": members.astype(np.float64),
            "segment_errors": segment_errors.astype(np.float64),
            "conversion": sales.astype(np.float64),
            "downstream_errors": failed_calls.astype(np.float64),
        }

    def _latencies(self, requests: NDArray[np.int64], effects: Array) -> dict[str, Array]:
        service = self._world.service
        rank = np.ceil(np.multiply.outer(QUANTILES, requests))
        some = np.maximum(rank, 1.0)
        level = self._rng.beta(some, np.maximum(requests - some, 0.0) + 1.0)
        slow = np.minimum(service.slow_share * effects[..., 2], MOST_SHARE)[..., None]
        cumulative = (1.0 - slow) * _NORMAL + slow * self._slow
        body = math.log(service.latency_ms) + np.log(effects[..., 1])
        shown = np.where(requests > 0, np.exp(body + service.latency_spread * _inverse(cumulative, level)), np.nan)
        return {"latency_p50": shown[0], "latency_p99": shown[1]}

    def _levels(self, expected: Array, begin: int, end: int) -> dict[str, Array]:
        """Return memory (MB) and cpu (%) of an instance of each arm."""
        service, regression = self._world.service, self._world.regression
        noise = self._rng.standard_normal((2, *expected.shape))
        memory = service.memory_mb * (1.0 + MEMORY_NOISE * noise[0])
        if regression.memory:
            age = (np.arange(begin, end) - HISTORY) / regression.memory_minutes
            gain = 1.0 - np.exp(-2.0 * age) if regression.memory_settles else age
            memory[:, CANARY] *= 1.0 + regression.memory * gain
        room = np.array([regression.headroom, service.headroom, np.inf]) * self._world.load.rpm
        busy = FULL_CPU * expected / room
        busy[:, STABLE] = STABLE_CPU
        cpu = 100.0 * np.minimum(busy * (1.0 + CPU_NOISE * noise[1]), 1.0)
        return {"memory": memory, "cpu": cpu}


def _inverse(cumulative: Array, level: Array) -> Array:
    """Return the standardised log latencies at which (..., grid) distributions reach (quantiles, ...) levels."""
    reached = np.count_nonzero(cumulative < level[..., None], axis=-1)
    above = np.minimum(np.maximum(reached, 1), GRID.size - 1)
    below = above - 1
    begins = np.arange(0, cumulative.size, GRID.size).reshape(cumulative.shape[:-1])
    table = cumulative.ravel()
    under, over = table[begins + below], table[begins + above]
    part = np.minimum(np.maximum((level - under) / np.maximum(over - under, 1e-12), 0.0), 1.0)
    return GRID[below] + part * (GRID[above] - GRID[below])
