"""The mean of a figure over episodes, and how far it can be trusted."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import PCG64, Generator

RESAMPLES = 2_000
"""Bootstrap resamples behind an interval."""
SEED = 20_250_101
"""Every interval is drawn from this seed: the same episodes always have the same interval."""
CONFIDENCE = 0.95
_DRAWS_AT_ONCE = 1_000_000
"""Bounds the memory of the resampling, however many scenarios there are."""


class Cluster(NamedTuple):
    """The episodes of one scenario."""

    total: float
    """Sum of their figures."""
    episodes: int


def interval(clusters: Sequence[Cluster]) -> tuple[float, float] | None:
    """Return the 95 % percentile bootstrap interval of the mean, resampling whole scenarios.

    Episodes of one scenario are not independent of each other, so a scenario is drawn with all of its episodes. One
    scenario alone says nothing about others: there is no interval below two.
    """
    if len(clusters) < 2:
        return None
    totals = np.array([cluster.total for cluster in clusters])
    counts = np.array([cluster.episodes for cluster in clusters])
    draws = Generator(PCG64(SEED))
    rows = max(1, _DRAWS_AT_ONCE // len(clusters))
    means: list[np.ndarray] = []
    for first in range(0, RESAMPLES, rows):
        drawn = draws.integers(len(clusters), size=(min(rows, RESAMPLES - first), len(clusters)))
        means.append(totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail])
    return float(low), float(high)
