"""The particles: hypotheses with weights, and how they are resampled when few of them carry all the weight."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.latents import CARRIERS, WARM_UP_OF
from releaseops_mcp.canary.metrics import CANARY, STABLE
from releaseops_mcp.canary.reference.hypotheses import Hypotheses
from releaseops_mcp.canary.regressions import SEVERE
from releaseops_mcp.canary.scenarios import family_names

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

JITTER = 0.06
"""Standard deviation of the log factor by which a resampled particle's risk ratios move."""
FEW = 0.15
"""Share of effective particles below which they are resampled."""
LOAD_WIDTH = 0.35
"""Width of the kernel that compares a service's traffic with the families', in log requests."""
MEMBERS = 0.325
"""Usual share of the watched group of users."""
ERRORS, BODY, TAIL, CONVERSION, SEGMENT, DOWNSTREAM = range(len(CARRIERS))


@dataclass(slots=True)
class Particles:
    """Weighted hypotheses."""

    worlds: Hypotheses
    rows: Rows
    """(particles,) which hypothesis each is."""
    scale: Array
    """(particles,) factor of its log risk ratios."""
    logs: Array
    """(particles,) log weights, up to a constant."""

    @classmethod
    def prior(cls, worlds: Hypotheses, requests: float) -> "Particles":
        """Return all hypotheses, weighted by how well their family's traffic fits the service's."""
        near = np.exp(-0.5 * (np.log(worlds.load / requests) / LOAD_WIDTH) ** 2) + 1e-6
        families = len(family_names())
        fit = np.bincount(worlds.family, near, families) / np.bincount(worlds.family, minlength=families)
        with np.errstate(divide="ignore"):
            logs = np.log(worlds.usual_interval) + np.log(fit[worlds.family])
        kept = np.flatnonzero(np.isfinite(logs))
        return cls(worlds, kept, np.ones(len(kept)), logs[kept])

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def weights(self) -> Array:
        """(particles,) weights that add up to 1."""
        weights = np.exp(self.logs - self.logs.max())
        return weights / weights.sum()

    @property
    def effective(self) -> float:
        """How many equally weighted particles would know as much."""
        return float(1.0 / (self.weights**2).sum())

    @property
    def bad(self) -> NDArray[np.bool_]:
        """(particles,) whether the change is bad."""
        return self.worlds.bad[self.rows]

    @property
    def severity(self) -> Array:
        """(particles,) severity of the change, 0 where it is good."""
        ratio = np.exp(self.worlds.change[self.rows].max(axis=1) * self.scale)
        return np.where(self.bad, np.clip((ratio - 1.0) / SEVERE, 0.0, 1.0), 0.0)

    def active(self, start: int, end: int, share: float) -> Array:
        """Return (particles,) the change's mean strength over start .. end - 1 at a share of the traffic."""
        crowded = self.worlds.cliff[self.rows] & (share > self.worlds.crowding[self.rows, 0])
        return np.where(crowded, 1.0, self.worlds.mean(self.worlds.strength, start, end, self.rows))

    def levels(self, carrier: int, start: int, end: int, share: float) -> Array:
        """Return (arms, particles) log of what multiplies a carrier's base over start .. end - 1."""
        levels = np.zeros((3, len(self)))
        if self.worlds.outside[:, carrier].any():
            rise = self.worlds.mean(self.worlds.rise, start, end, self.rows)
            levels += self.worlds.outside[self.rows, carrier] * self.scale * rise
        if WARM_UP_OF[carrier]:
            cold = self.worlds.mean(self.worlds.cold, start, end, self.rows)
            levels[:STABLE] += np.log1p(WARM_UP_OF[carrier] * cold)
        levels[CANARY] += self.worlds.change[self.rows, carrier] * self.scale * self.active(start, end, share)
        return levels

    def group(self, start: int, end: int, share: float) -> Array:
        """Return (arms, particles) log of what the watched group's own trouble makes of all errors."""
        return np.log(MEMBERS * np.exp(self.levels(SEGMENT, start, end, share)) + 1.0 - MEMBERS)

    def take(self, rows: Rows) -> "Particles":
        """Return some of the particles, equally weighted."""
        return Particles(self.worlds, self.rows[rows], self.scale[rows], np.zeros(len(rows)))

    def resampled(self, rng: np.random.Generator) -> "tuple[Particles, Rows]":
        """Return equally weighted particles with risk ratios moved a little, and which one each came from."""
        chosen = systematic(self.weights, len(self), rng)
        scale = self.scale[chosen] * np.exp(JITTER * rng.standard_normal(len(self)))
        return Particles(self.worlds, self.rows[chosen], scale, np.zeros(len(self))), chosen


def systematic(weights: Array, count: int, rng: np.random.Generator) -> Rows:
    """Return `count` indices, each index as often as its weight asks for, up to one more or less."""
    places = (np.arange(count) + rng.random()) / count
    return np.minimum(np.searchsorted(np.cumsum(weights), places), len(weights) - 1)
