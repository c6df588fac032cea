"""An arm's own noise, as every particle holds it: a Gaussian AR(1) state that is integrated out, never sampled.

Counts are compared by their conditional binomial law, which drops whatever acts on both arms alike; its logistic-normal
integral is taken by Laplace's method. Levels are compared by a Gaussian law.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.latents import OWN_PHI

Array = NDArray[np.float64]

STEPS = 4
"""Newton steps to the mode of a count's posterior."""
SURPRISE = 0.01
"""Share of looks that obey no hypothesis."""
SURPRISE_SD = 1.5
"""How far such a look lies off, as a standard deviation of the log ratio."""
FIRM = 800.0
"""Most events that a bucket counts for: no model is truer than 1 / sqrt of this."""


@dataclass(slots=True)
class Chain:
    """The state of one contrast, such as the canary's errors against the baseline's."""

    spread: Array
    """(particles,) stationary variance."""
    mean: Array
    variance: Array
    minute: float = 0.0

    @classmethod
    def fresh(cls, spread: Array) -> "Chain":
        """Return a chain that knows nothing yet."""
        return cls(spread, np.zeros_like(spread), spread.copy())

    def take(self, rows: NDArray[np.int64]) -> "Chain":
        """Return the chain of resampled particles."""
        return Chain(self.spread[rows], self.mean[rows], self.variance[rows], self.minute)

    def ahead(self, minute: float) -> tuple[Array, Array]:
        """Return mean and variance as they will be at a minute."""
        keep = OWN_PHI ** max(minute - self.minute, 0.0)
        return self.mean * keep, self.variance * keep**2 + self.spread * (1.0 - keep**2)

    def count(self, minute: float, events: float, total: float, log_odds: Array, firm: float = FIRM) -> Array:
        """Learn that `events` of `total` fell on the first arm; return (particles,) log likelihoods.

        `log_odds` is what each particle expects without noise, and what counts for at most `firm` events.
        """
        mean, variance = self.ahead(minute)
        firm = 1.0 / (1.0 + total / firm)
        likely, self.mean, self.variance = logistic_normal(events * firm, total * firm, log_odds, mean, variance)
        self.minute = minute
        vague = logistic_normal(events * firm, total * firm, np.median(log_odds), 0.0, SURPRISE_SD**2)[0]
        return _guarded(likely, vague)

    def level(self, minute: float, gap: Array, scatter: Array) -> Array:
        """Learn that a log ratio lay `gap` above what each particle expects, with variance `scatter`."""
        mean, variance = self.ahead(minute)
        total = variance + scatter
        miss = gap - mean
        gain = variance / total
        self.mean, self.variance, self.minute = mean + gain * miss, variance * (1.0 - gain), minute
        vague = _normal(np.median(miss), np.median(total) + SURPRISE_SD**2)
        return _guarded(_normal(miss, total), vague)


def logistic_normal(
    events: float, total: float, log_odds: "Array | float", mean: "Array | float", variance: "Array | float"
) -> tuple[Array, Array, Array]:
    """Return log of the integral of Bin(events; total, logistic(log_odds + x)) N(x; mean, variance), and x's posterior.

    The binomial coefficient, which is the same for all hypotheses, is left out.
    """
    precision = 1.0 / np.asarray(variance, dtype=np.float64)
    x = np.asarray(mean, dtype=np.float64) + np.zeros(np.shape(log_odds))
    share = _logistic(log_odds + x)
    for _ in range(STEPS):
        slope = events - total * share - (x - mean) * precision
        bend = total * share * (1.0 - share) + precision
        x = x + np.clip(slope / bend, -1.5, 1.5)
        share = _logistic(log_odds + x)
    bend = total * share * (1.0 - share) + precision
    eta = log_odds + x
    fit = events * eta - total * np.logaddexp(0.0, eta)
    likely = fit - 0.5 * (x - mean) ** 2 * precision - 0.5 * np.log(bend / precision)
    return likely, x, 1.0 / bend


def _logistic(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))


def _normal(miss: "Array | np.floating", variance: "Array | np.floating") -> Array:
    return np.asarray(-0.5 * miss**2 / variance - 0.5 * np.log(variance))


def _guarded(likely: Array, vague: Array) -> Array:
    """Return the log likelihoods with a small chance that the look obeys no hypothesis."""
    return np.logaddexp(np.log1p(-SURPRISE) + likely, np.log(SURPRISE) + vague)
