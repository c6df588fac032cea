"""The Mann-Whitney test turned into a shift: Hodges-Lehmann's estimate and its confidence interval.

The interval consists of those shifts that the two-sided rank test would not reject. It is read off the sorted pairwise
differences: with the exact null distribution for small samples without ties, else with the normal approximation,
corrected for ties and continuity (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, chapter 4).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from releaseops_mcp.canary.judges.arm import Array

EXACT_BELOW = 50
"""Samples smaller than this, without ties, use the exact distribution."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How far one sample lies above another."""

    estimate: float
    """Hodges-Lehmann: the median of all pairwise differences."""
    low: float
    high: float
    """Confidence interval of the shift."""
    superiority: float
    """Probability that a value of the first is above one of the second, ties counted half (common language effect)."""


def shift(first: Array, second: Array, confidence: float) -> Shift:
    """Return how far `first` lies above `second`, both (values,) without nan and not empty."""
    differences = np.sort(np.subtract.outer(first, second), axis=None)
    skipped = _skipped(first, second, 1.0 - confidence)
    above = float((differences > 0.0).mean() + 0.5 * (differences == 0.0).mean())
    low, high = differences[skipped], differences[differences.size - 1 - skipped]
    return Shift(float(np.median(differences)), float(low), float(high), above)


def _skipped(first: Array, second: Array, alpha: float) -> int:
    """Return how many of the sorted differences lie outside the interval on each side."""
    pooled = np.concatenate([first, second])
    ties = np.unique(pooled, return_counts=True)[1]
    if ties.max() == 1 and max(first.size, second.size) < EXACT_BELOW:
        return max(exact_quantile(first.size, second.size, alpha / 2.0) - 1, 0)
    pairs, size = first.size * second.size, pooled.size
    untied = size + 1.0 - float((ties**3 - ties).sum()) / max(size * (size - 1.0), 1.0)
    deviation = math.sqrt(pairs * untied / 12.0)
    reach = NormalDist().inv_cdf(1.0 - alpha / 2.0) * deviation + 0.5
    return min(max(math.floor(pairs / 2.0 - reach), 0), (pairs - 1) // 2)


@lru_cache(maxsize=256)
def exact_quantile(first: int, second: int, probability: float) -> int:
    """Return the smallest u at which the Mann-Whitney U of two samples without ties has P(U <= u) >= probability."""
    counts = _counts(first, second)
    wanted = probability * sum(counts)
    below = 0
    for statistic, count in enumerate(counts):
        below += count
        if below >= wanted:
            return statistic
    return len(counts) - 1


@lru_cache(maxsize=64)
def _counts(first: int, second: int) -> tuple[int, ...]:
    """Return how many orderings give each U: the coefficients of the Gaussian binomial."""
    counts = [1] + [0] * (first * second)
    for factor in range(1, first + 1):
        for at in range(len(counts) - 1, second + factor - 1, -1):
            counts[at] -= counts[at - second - factor]
        for at in range(factor, len(counts)):
            counts[at] += counts[at - factor]
    return tuple(counts)
