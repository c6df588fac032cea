"""What the particles hold at a moment, and what they expect a metric to show.

Each metric has contrasts: `fresh`, the canary against the fresh baseline; `pooled`, both of them against the stable
arm; `stable`, that one against its usual level. What all arms share drops out of the first two.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.latents import SHARE_OF_NOISE, STABLE_OWN
from releaseops_mcp.canary.reference.chains import Chain
from releaseops_mcp.canary.reference.hypotheses import hypotheses
from releaseops_mcp.canary.reference.particles import (
    BODY,
    CONVERSION,
    DOWNSTREAM,
    ERRORS,
    MEMBERS,
    TAIL,
    Particles,
    systematic,
)
from releaseops_mcp.canary.reference.quantiles import latency

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

COUNTS = {"errors": ERRORS, "conversion": CONVERSION, "downstream_errors": DOWNSTREAM}
"""Carrier of each metric that is compared by its events."""
QUANTILES = {"latency_p50": 0, "latency_p99": 1}
"""Which tabulated quantile a metric shows."""
LEVEL_SPREAD = 1.6
"""Variance of the stable arm's distance from its usual level, over that of the shared noise: the usual varies too."""
GROUP_NOISE = 0.5
"""Noise variance of a group's share of all errors, over that of the errors themselves."""
USUAL_RATIO = 1.0
"""Usual log(p99 / p50) of a service of which it is not shown."""
SLOPE_STEP = 0.35
"""Log factor of the slow path by which its effect on a quantile is measured."""
USUAL_LAG = 2
"""Minutes by which the series are late until they tell."""


class State:
    """Particles, with the noise that each holds of every contrast and the service that each supposes."""

    def __init__(self, setup: Mapping[str, Any], rng: np.random.Generator) -> None:
        self.usually: Mapping[str, float | None] = setup["usual"]
        self.rpm = max(float(setup["requests_per_minute"]), 1.0)
        self.particles = Particles.prior(hypotheses(setup["interval_minutes"]), self.rpm)
        self.chains: dict[tuple[str, str], Chain] = {}
        self.lag = USUAL_LAG
        self.labels_wrong = False
        self.seen: dict[str, int] = {}
        """Minute up to which each metric has been seen."""
        median, slow = (self.usually.get(name) for name in QUANTILES)
        ratio = float(np.log(slow / median)) if median and slow else USUAL_RATIO
        self.latency = latency(self.particles.worlds.latency, ratio, self.rpm, rng)
        self.services = rng.integers(self.latency.services, size=len(self.particles))

    def thin(self, count: int, rng: np.random.Generator) -> "State":
        """Return a copy of few particles, equally weighted, to weigh futures with."""
        rows = systematic(self.particles.weights, count, rng)
        small = object.__new__(State)
        small.__dict__.update(self.__dict__)
        small.take(self.particles.take(rows), rows)
        return small

    def take(self, particles: Particles, rows: Rows) -> None:
        """Go on with particles that came from these."""
        self.particles = particles
        self.services = self.services[rows]
        self.chains = {name: chain.take(rows) for name, chain in self.chains.items()}

    def usual(self, metric: str, least: float) -> float:
        """Return the usual share of events of a metric, at least this much."""
        return max((self.usually.get(metric) or 0.0) / 100.0, least)

    def chain(self, metric: str, contrast: str) -> Chain:
        """Return the noise of a contrast; a new one knows nothing."""
        if (metric, contrast) not in self.chains:
            self.chains[metric, contrast] = Chain.fresh(self._spread(metric, contrast))
        return self.chains[metric, contrast]

    def _spread(self, metric: str, contrast: str) -> Array:
        """Return (particles,) the stationary variance of a contrast."""
        worlds, rows = self.particles.worlds, self.particles.rows
        arms = {"fresh": 2.0, "pooled": 0.5 + STABLE_OWN**2, "stable": LEVEL_SPREAD}[contrast]
        noise = worlds.shared[rows] if contrast == "stable" else worlds.own[rows]
        return np.asarray(arms * noise**2 * self._noise_share(metric), dtype=np.float64)

    def _noise_share(self, metric: str) -> "Array | float":
        """Return how much of the errors' noise variance a metric has."""
        if metric == "errors":
            return 1.0 + MEMBERS**2
        if metric in COUNTS:
            return SHARE_OF_NOISE[COUNTS[metric]] ** 2
        if metric in QUANTILES:
            return (self._tail_slope(metric) * SHARE_OF_NOISE[TAIL]) ** 2 + SHARE_OF_NOISE[BODY] ** 2
        return GROUP_NOISE

    def _tail_slope(self, metric: str) -> Array:
        """Return (particles,) how much of the slow path's log factor shows in a quantile."""
        tail = np.full(len(self.particles), SLOPE_STEP)
        up, _ = self.latency.expected(QUANTILES[metric], self.services, tail, self.rpm)
        down, _ = self.latency.expected(QUANTILES[metric], self.services, -tail, self.rpm)
        return (up - down) / (2.0 * SLOPE_STEP)

    def count_levels(self, metric: str, start: int, end: int, share: float) -> Array:
        """Return (arms, particles) log factors of a counted metric's usual share over start .. end - 1."""
        levels = self.particles.levels(COUNTS[metric], start, end, share)
        if metric == "errors":
            levels = levels + self.particles.group(start, end, share)
        return -levels if metric == "conversion" else levels

    def quantile_levels(self, metric: str, start: int, end: int, share: float, requests: Array) -> tuple[Array, Array]:
        """Return (arms, particles) expected log quantiles, and their variances for one minute."""
        tails = self.particles.levels(TAIL, start, end, share)
        bodies = self.particles.levels(BODY, start, end, share)
        shown = [
            self.latency.expected(QUANTILES[metric], self.services, tail, float(count))
            for tail, count in zip(tails, requests, strict=True)
        ]
        return np.stack([mean for mean, _ in shown]) + bodies, np.stack([scatter**2 for _, scatter in shown])
