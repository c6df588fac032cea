"""What a shown quantile of a latency should be: order statistics of a fast and a slow path, tabulated once an episode.

The service's spread, slow share and slow factor are not shown. A few triples that agree with its usual p99 / p50 stand
for all of them; each particle holds one.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.traffic import GRID, MOST_SHARE, QUANTILES

Array = NDArray[np.float64]

SERVICES = 20
"""Triples that are kept."""
CANDIDATES = 240
"""Triples among which those are chosen."""
TOLERANCE = 0.18
"""How far the usual log(p99 / p50) may lie from a triple's: noise moved the half hour in which it was measured."""
COUNTS = np.geomspace(1.0, 1e5, 11)
"""Requests a minute for which the tables are made."""
TAILS = np.linspace(-1.0, 3.0, 13)
"""Log factors of the slow path for which the tables are made."""
RANKS = 40
"""Ranks drawn for a cell."""
_NORMAL = np.array([0.5 * math.erfc(-z / math.sqrt(2.0)) for z in GRID])


@dataclass(frozen=True, slots=True)
class Latency:
    """Tables of a shown log quantile, relative to the median of the fast path."""

    mean: Array
    """(quantiles, counts, services, tails)."""
    scatter: Array
    """Its standard deviation, of the same shape."""

    @property
    def services(self) -> int:
        """How many services stand for all that are possible."""
        return self.mean.shape[2]

    def expected(self, quantile: int, service: NDArray[np.int64], tail: Array, requests: float) -> tuple[Array, Array]:
        """Return (particles,) mean and standard deviation for a minute of so many requests."""
        place = np.clip(np.log(max(requests, 1.0)) / np.log(COUNTS[1]), 0.0, len(COUNTS) - 1.001)
        low = int(place)
        part = place - low
        spot = np.clip((tail - TAILS[0]) / (TAILS[1] - TAILS[0]), 0.0, len(TAILS) - 1.001)
        cell = spot.astype(np.int64)
        rest = spot - cell

        def read(table: Array) -> Array:
            row = (1.0 - part) * table[quantile, low] + part * table[quantile, low + 1]
            return (1.0 - rest) * row[service, cell] + rest * row[service, cell + 1]

        return read(self.mean), read(self.scatter)


def latency(triples: Array, log_ratio: float, requests: float, rng: np.random.Generator) -> Latency:
    """Return the tables of services that agree with a usual log(p99 / p50) at so many requests a minute.

    `triples` is (candidates, 3): spread, slow share, slow factor.
    """
    some = triples[rng.choice(len(triples), size=min(CANDIDATES, len(triples)), replace=False)]
    median, slow = (_ranks(quantile, np.array([requests]), rng)[0] for quantile in QUANTILES)
    ratio = np.array([(_log_quantiles(one, 0.0, slow) - _log_quantiles(one, 0.0, median)).mean() for one in some])
    fit = np.exp(-0.5 * ((ratio - log_ratio) / TOLERANCE) ** 2) + 1e-12
    edges = (np.arange(SERVICES) + rng.random()) / SERVICES
    chosen = some[np.minimum(np.searchsorted(np.cumsum(fit / fit.sum()), edges), len(some) - 1)]
    levels = np.stack([_ranks(quantile, COUNTS, rng) for quantile in QUANTILES])
    drawn = np.array([[_log_quantiles(one, tail, levels.ravel()) for tail in TAILS] for one in chosen])
    drawn = drawn.reshape(SERVICES, len(TAILS), *levels.shape)
    return Latency(np.moveaxis(drawn.mean(axis=-1), (2, 3), (0, 1)), np.moveaxis(drawn.std(axis=-1), (2, 3), (0, 1)))


def _ranks(quantile: float, counts: Array, rng: np.random.Generator) -> Array:
    """Return (counts, RANKS) uniform order statistics at a quantile's rank."""
    requests = np.maximum(np.round(counts), 1.0)
    rank = np.maximum(np.ceil(quantile * requests), 1.0)[:, None]
    return rng.beta(rank, requests[:, None] - rank + 1.0, size=(len(counts), RANKS))


def _log_quantiles(triple: Array, tail: float, levels: Array) -> Array:
    """Return log latencies, relative to the fast median, at which the mixture reaches some levels."""
    spread, slow_share, slow_factor = (float(each) for each in triple)
    slow = min(slow_share * math.exp(tail), MOST_SHARE)
    cumulative: Array = (1.0 - slow) * _NORMAL + slow * np.interp(GRID - math.log(slow_factor) / spread, GRID, _NORMAL)
    return spread * np.interp(levels, cumulative, GRID)
