"""Bounds of a group-sequential test that spends its error as O'Brien and Fleming would.

Lan and DeMets (Discrete sequential boundaries for clinical trials, Biometrika 1983): by the share t of the planned time
the one-sided error 2 (1 - Phi(z / sqrt(t))) is spent, z the normal quantile of 1 - alpha / 2. The bounds follow by
integrating over the paths that have not crossed yet (Armitage, McPherson and Rowe 1969).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from releaseops_mcp.canary.judges.arm import Array

_AT = np.linspace(-9.0, 9.0, 18_001)
_UPPER_TAIL = np.array([0.5 * math.erfc(z / math.sqrt(2.0)) for z in _AT])
POINTS = 161
"""Points on which the density of the surviving paths is kept."""
FARTHEST = 8.0
"""Standard deviations beyond which no path is followed."""


def spent(alpha: float, times: Array) -> Array:
    """Return (looks,) how much of the error may be spent by each share of the planned time."""
    z = NormalDist().inv_cdf(1.0 - alpha / 2.0)
    return np.array([math.erfc(z / math.sqrt(2.0 * min(time, 1.0))) if time > 0.0 else 0.0 for time in times])


def obrien_fleming(alpha: float, times: Sequence[float], information: Sequence[float]) -> tuple[float, ...]:
    """Return (looks,) upper bounds of the standardised statistic at looks with these shares of the planned time.

    `information` (looks,) is the variance of the score by then: positive and growing, in any unit.
    """
    scale = information[0] if information else 1.0
    return _paths(alpha, tuple(times), tuple(round(each / scale, 6) for each in information)).bounds


@dataclass(frozen=True, slots=True)
class _Paths:
    """The paths that have not crossed by a look: how probable each score is, on a grid; and the bounds so far."""

    bounds: tuple[float, ...]
    scores: Array
    chances: Array


@lru_cache(maxsize=1024)
def _paths(alpha: float, times: tuple[float, ...], information: tuple[float, ...]) -> _Paths:
    """Continue from the looks before the last one, so that a test that goes on computes each look once."""
    if not times:
        return _Paths((), np.zeros(1), np.ones(1))
    before = _paths(alpha, times[:-1], information[:-1])
    step = math.sqrt(information[-1] - (information[-2] if len(times) > 1 else 0.0))
    deviation = math.sqrt(information[-1])
    to_spend = float(np.diff(spent(alpha, np.array((0.0, *times)[-2:])))[0])
    bound = _where(to_spend, before.scores, before.chances, step, FARTHEST * deviation)
    scores, chances = _survivors(before.scores, before.chances, step, -FARTHEST * deviation, bound)
    return _Paths((*before.bounds, bound / deviation), scores, chances)


def _where(chance: float, grid: Array, density: Array, step: float, farthest: float) -> float:
    """Return the score that paths now exceed with this chance, by bisection."""
    low, high = -farthest, farthest
    for _ in range(48):
        middle = (low + high) / 2.0
        exceeding = float((density * np.interp((middle - grid) / step, _AT, _UPPER_TAIL)).sum())
        low, high = (middle, high) if exceeding > chance else (low, middle)
    return high


def _survivors(grid: Array, density: Array, step: float, low: float, high: float) -> tuple[Array, Array]:
    """Return the scores below the bound and how probable each is, one increment on (weights of the trapezoid rule)."""
    reached = np.linspace(low, high, POINTS)
    apart = np.subtract.outer(reached, grid) / step
    chances = np.exp(-0.5 * apart**2) @ density / (step * math.sqrt(2.0 * math.pi))
    weights = np.full(POINTS, (high - low) / (POINTS - 1))
    weights[[0, -1]] /= 2.0
    return reached, chances * weights
