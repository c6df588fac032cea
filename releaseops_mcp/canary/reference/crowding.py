"""Processor time as evidence: what the canary's instances use at a small share of the traffic says when they are full.

The canary is held against the baseline, per request; how busy both are says where the cliff lies. Looks that differ
only in time say the same, so that their mean is taken, not their sum.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.metrics import ARMS, BASELINE, CANARY
from releaseops_mcp.canary.reference.looks import Bucket
from releaseops_mcp.canary.reference.particles import Particles
from releaseops_mcp.canary.traffic import FULL_CPU

Array = NDArray[np.float64]

BUSY = 100.0 * FULL_CPU
"""Percent of processor time at which instances are full."""
FULL = 100.0
RATIO_SD = 0.08
"""Standard deviation of the log ratio of the two arms' processor time a request."""
APPLIED = ((1.0, 0.9), (0.6, 0.05), (1.5, 0.05))
"""Factors by which a mesh may miss the weight that it is asked for, each with its chance."""
UNEVEN = 0.08
"""Variance of the log ratio of two arms' requests in a minute, beyond that of their number."""
LEVEL_SD = 0.35
"""Standard deviation of the log processor time itself, with what the season adds."""


@dataclass(slots=True)
class Crowding:
    """The processor time of both fresh arms, at the shares that they had."""

    _shares: list[float] = field(default_factory=list[float])
    _ratios: list[float] = field(default_factory=list[float])
    _levels: list[float] = field(default_factory=list[float])
    _minutes: int = 0
    _requests: Array = field(default_factory=lambda: np.zeros(len(ARMS)))

    def add(self, bucket: Bucket, share: float) -> None:
        """Take in a bucket of log processor time; `share` is the traffic that was asked for."""
        self._minutes += bucket.rows
        self._requests = self._requests + bucket.requests * bucket.rows
        self._shares.append(share)
        self._levels.append(float(bucket.values[CANARY]))
        self._ratios.append(float(bucket.values[CANARY] - bucket.values[BASELINE]))

    def likely(self, particles: Particles) -> Array:
        """Return (particles,) log likelihoods of all that was seen, up to a constant."""
        if not self._shares:
            return np.zeros(len(particles))
        crowding = particles.worlds.crowding[particles.rows]
        factors = [np.log(chance) + self._sent(factor) + self._busy(crowding, factor) for factor, chance in APPLIED]
        return np.logaddexp.reduce(np.stack(factors))

    def _busy(self, crowding: Array, sent: float) -> Array:
        """Return the same if the mesh sends `sent` times the traffic that was asked for."""
        share = np.array(self._shares)[:, None]
        busy = np.log(np.minimum(BUSY * share * sent / crowding[:, CANARY], FULL))
        calm = np.log(np.minimum(BUSY * share / crowding[:, BASELINE], FULL))
        ratio = (np.array(self._ratios)[:, None] - busy + calm).mean(axis=0) / RATIO_SD
        level = (np.array(self._levels)[:, None] - busy).mean(axis=0) / LEVEL_SD
        return np.asarray(-0.5 * (np.minimum(ratio**2, 60.0) + np.minimum(level**2, 40.0)))

    def _sent(self, factor: float) -> float:
        """Return the log likelihood of the requests themselves if the mesh sends `factor` times what was asked for."""
        canary, baseline = self._requests[CANARY] + 0.5, self._requests[BASELINE] + 0.5
        variance = 1.0 / canary + 1.0 / baseline + UNEVEN / self._minutes
        return float(-0.5 * np.log(canary / baseline / factor) ** 2 / variance)
