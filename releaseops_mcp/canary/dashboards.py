"""What the dashboards show of a rollout: late, with gaps, sometimes stale, sometimes of the wrong arm.

Rates are in percent of their counter, `nan` where there is no value; everything is rounded as it is shown.
"""

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.latents import HISTORY, SLACK
from releaseops_mcp.canary.metrics import CANARY, METRICS, STABLE, Metric
from releaseops_mcp.canary.traffic import Rollout
from releaseops_mcp.canary.world import World

Array = NDArray[np.float64]

RESET_MINUTES = 2
"""Minutes for which a rate is missing after its counter began anew."""
FIRST_SHARE = 0.6
"""How much of the newest minute has arrived when it is first shown."""


class Dashboard:
    """The shown series of one rollout."""

    def __init__(self, world: World, rollout: Rollout, rng: np.random.Generator) -> None:
        self._faults = world.faults
        self._rollout = rollout
        size = HISTORY + world.deadline + SLACK
        self._scraped = rng.random((size, len(METRICS))) >= world.faults.gap_rate

    @property
    def newest(self) -> int:
        """The last minute of which anything is shown."""
        return self._rollout.now - self._faults.lag - 1

    def series(self, name: str, start: int, end: int) -> Array:
        """Return (minutes, arms) shown values of a metric over the minutes start .. end - 1, capped at the newest."""
        end = min(end, self.newest + 1)
        start = max(min(start, end), -HISTORY)
        metric = METRICS[name]
        shown = _rates(metric, self._rollout, start, end)
        if name == "requests" and end == self.newest + 1 and end > start:
            shown[-1] *= FIRST_SHARE
        self._spoil(name, shown, start)
        return _rounded(shown, metric)

    def window(self, name: str, start: int, end: int) -> Array:
        """Return (arms,) one value a metric over a window: a ratio of sums for shares, a mean for levels."""
        metric = METRICS[name]
        minutes = self.series(name, start, end)
        weights = self.series("requests", start, end) if metric.per else np.ones_like(minutes)
        known = ~np.isnan(minutes) & ~np.isnan(weights)
        total = np.where(known, weights, 0.0).sum(axis=0)
        summed = np.where(known, minutes * weights, 0.0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return _rounded(np.where(total > 0, summed / total, np.nan), metric)

    def _spoil(self, name: str, shown: Array, start: int) -> None:
        """Apply the faults to a series in place."""
        faults = self._faults
        if name in faults.mislabelled:
            shown[:, CANARY] = np.where(np.isnan(shown[:, CANARY]), np.nan, shown[:, STABLE])
        if faults.stale is not None and faults.stale[0] == name:
            self._freeze(name, shown, start, faults.stale[1], faults.stale[2])
        if faults.counter_reset is not None and METRICS[name].per is not None:
            rows = slice(max(faults.counter_reset - start, 0), max(faults.counter_reset + RESET_MINUTES - start, 0))
            shown[rows, CANARY] = np.nan
        rows = slice(start + HISTORY, start + HISTORY + len(shown))
        shown[~self._scraped[rows, list(METRICS).index(name)]] = np.nan

    def _freeze(self, name: str, shown: Array, start: int, begin: int, end: int) -> None:
        """Let the canary's series repeat the value that it had just before `begin`."""
        held = _rates(METRICS[name], self._rollout, begin - 1, begin)
        if not len(held) or np.isnan(held[0, CANARY]):
            return
        shown[max(begin - start, 0) : max(end - start, 0), CANARY] = held[0, CANARY]


def _rates(metric: Metric, rollout: Rollout, start: int, end: int) -> Array:
    counters = rollout.counters(start, end)
    values = counters[metric.name].copy()
    if metric.per is None:
        return values
    total = counters[metric.per]
    with np.errstate(invalid="ignore", divide="ignore"):
        return 100.0 * np.where(total > 0, values / total, np.nan)


def _rounded(values: Array, metric: Metric) -> Array:
    rounded: Array = np.round(values, metric.digits)
    return rounded
