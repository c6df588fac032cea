"""Memory as evidence: a straight line leaks, a bent one is a cache that fills.

How much is gained is unknown and enters linearly, so it is integrated out; only the time constant is a particle's own.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.metrics import BASELINE, CANARY
from releaseops_mcp.canary.reference.looks import Bucket
from releaseops_mcp.canary.reference.particles import Particles
from releaseops_mcp.canary.traffic import MEMORY_NOISE

Array = NDArray[np.float64]

GAIN, GAIN_SD = 0.75, 0.26
"""What a canary that gains memory gains, as a share of the usual."""
INEXACT = 0.004
"""Standard deviation that the coarse grid of time constants adds."""


@dataclass(slots=True)
class MemoryTrend:
    """The canary's memory relative to the baseline's, over time."""

    _minutes: list[float] = field(default_factory=list[float])
    _gains: list[float] = field(default_factory=list[float])
    _variances: list[float] = field(default_factory=list[float])

    def add(self, bucket: Bucket, share: float) -> None:
        """Take in a bucket of log memory; the traffic's share does not move it."""
        self._minutes.append(bucket.middle - 0.5)
        self._gains.append(float(np.expm1(bucket.values[CANARY] - bucket.values[BASELINE])))
        self._variances.append(2.0 * MEMORY_NOISE**2 / bucket.rows + INEXACT**2)

    def likely(self, particles: Particles) -> Array:
        """Return (particles,) log likelihoods of all that was seen, up to a constant."""
        kind = particles.worlds.memory[particles.rows]
        if not self._minutes:
            return np.zeros(len(kind))
        age = np.array(self._minutes)[:, None] / particles.worlds.memory_minutes[particles.rows]
        shape = np.where(kind == 1, age, 1.0 - np.exp(-2.0 * age)) * (kind > 0)
        precision = 1.0 / np.array(self._variances)[:, None]
        seen = np.array(self._gains)[:, None]
        misfit = (seen**2 * precision).sum(axis=0)
        bend = (shape**2 * precision).sum(axis=0) + GAIN_SD**-2
        pull = (shape * seen * precision).sum(axis=0) + GAIN * GAIN_SD**-2
        fit = pull**2 / bend - GAIN**2 * GAIN_SD**-2 - np.log(bend * GAIN_SD**2)
        return np.asarray(0.5 * (np.where(kind > 0, fit, 0.0) - misfit))
