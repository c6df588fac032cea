"""Bounds of a group-sequential test that spends its error as O'Brien and Fleming would.

Lan and DeMets (Discrete sequential boundaries for clinical trials, Biometrika 1983): by the share t of the planned time
the one-sided error 2 (1 - Phi(z / sqrt(t))) is spent, z the normal quantile of 1 - alpha / 2. The bounds follow by
integrating over the paths that have not crossed yet (Armitage, McPherson and Rowe 1969).
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from releaseops_mcp.canary.judges.series import Array

_AT = np.linspace(-9.0, 9.0, 18_001)
_UPPER_TAIL = np.array([0.5 * math.erfc(z / math.sqrt(2.0)) for z in _AT])
POINTS = 401
"""Points on which the density of the surviving paths is kept."""
FARTHEST = 8.0
"""Standard deviations beyond which no path is followed."""


def spent(alpha: float, times: Array) -> Array:
    """Return (looks,) how much of the error may be spent by each share of the planned time, in (0, 1]."""
    z = NormalDist().inv_cdf(1.0 - alpha / 2.0)
    return np.array([math.erfc(z / math.sqrt(2.0 * min(time, 1.0))) for time in times])


def obrien_fleming(alpha: float, times: Sequence[float], information: Sequence[float]) -> tuple[float, ...]:
    """Return (looks,) upper bounds of the standardised statistic at looks with these shares of the planned time.

    `information` (looks,) is the variance of the score by then: positive and growing, in any unit.
    """
    scale = information[-1] if information else 1.0
    return _bounds(alpha, tuple(times), tuple(round(each / scale, 6) for each in information))


@lru_cache(maxsize=4096)
def _bounds(alpha: float, times: tuple[float, ...], information: tuple[float, ...]) -> tuple[float, ...]:
    to_spend = np.diff(spent(alpha, np.array(times)), prepend=0.0)
    grid, density, before = np.zeros(1), np.ones(1), 0.0
    bounds: list[float] = []
    for chance, known in zip(to_spend, information, strict=True):
        step = math.sqrt(known - before)
        bound = _where(float(chance), grid, density, step, FARTHEST * math.sqrt(known))
        bounds.append(bound / math.sqrt(known))
        grid, density = _survivors(grid, density, step, -FARTHEST * math.sqrt(known), bound)
        before = known
    return tuple(bounds)


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
