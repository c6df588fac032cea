"""Standardised statistics at the looks of a group-sequential test, and how much information each rests on."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.judges.arm import Array
from releaseops_mcp.canary.judges.counts import Counts

LEAST_INFORMATION = 2.0
"""Variance of a count below which the normal approximation is not trusted."""
LEAST_VALUES = 8
"""Values below which the spread of a level is not trusted."""
MOST_CORRELATION = 0.95
"""A sample's lag-1 correlation is not believed to be higher."""


@dataclass(frozen=True, slots=True)
class Scores:
    """A statistic by look: about normal with variance 1, mean 0 at the ratio that is tested, larger where worse."""

    z: Array
    """(looks,)"""
    information: Array
    """(looks,) 0 where the statistic must not be used."""


def of_counts(counts: Counts, ratio: float, ends: NDArray[np.int64]) -> Scores:
    """Return scores of the first arm's events against a rate `ratio` times the other's, after `ends` buckets each.

    A continuity correction of half an event makes small counts cautious.
    """
    share = counts.share(ratio)
    excess = (counts.events - counts.all_events * share).cumsum()[ends - 1]
    variance = (counts.all_events * share * (1.0 - share)).cumsum()[ends - 1]
    enough = variance >= LEAST_INFORMATION
    z = np.where(enough, (excess - 0.5) / np.sqrt(np.where(enough, variance, 1.0)), 0.0)
    return Scores(z, np.where(enough, variance, 0.0))


def of_levels(logs: Array, ratio: float, ends: NDArray[np.int64]) -> Scores:
    """Return scores of (buckets,) logarithms of ratios, canary to control, against a true ratio of `ratio`.

    The spread is the sample's own, widened by its lag-1 correlation as that of an AR(1); Kendall's correction (1954)
    is added, since a short sample's correlation is estimated too low.
    """
    pairs = [_level(logs[:end] - math.log(ratio)) for end in ends]
    return Scores(np.array([z for z, _ in pairs]), np.array([float(size) for _, size in pairs]))


def _level(differences: Array) -> tuple[float, int]:
    known = differences[np.isfinite(differences)]
    if known.size < LEAST_VALUES or known.std() == 0.0:
        return 0.0, 0
    centred = known - known.mean()
    correlation = float((centred[1:] * centred[:-1]).sum() / (centred**2).sum())
    correlation += (1.0 + 3.0 * correlation) / known.size
    correlation = min(max(correlation, 0.0), MOST_CORRELATION)
    wider = math.sqrt((1.0 + correlation) / (1.0 - correlation))
    return float(known.mean() / (known.std(ddof=1) * wider / math.sqrt(known.size))), known.size
