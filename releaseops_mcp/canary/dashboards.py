"""What the dashboards show of a rollout: late, with gaps, sometimes stale, sometimes of the wrong arm.

Rates are in percent of their counter, `nan` where there is no value; everything is rounded as it is shown. A minute
that has passed is worked out once: what is shown of it changes no more, but for the traffic of the newest.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.latents import HISTORY, SLACK
from releaseops_mcp.canary.metrics import ARMS, CANARY, METRICS, STABLE
from releaseops_mcp.canary.traffic import Rollout
from releaseops_mcp.canary.world import World

Array = NDArray[np.float64]

RESET_MINUTES = 2
"""Minutes for which a rate is missing after its counter began anew."""
FIRST_SHARE = 0.6
"""How much of the newest minute has arrived when it is first shown."""

_NAMES = tuple(METRICS)
_ROW = {name: row for row, name in enumerate(_NAMES)}
_REQUESTS = _ROW["requests"]
_PARTIAL = len(_NAMES)
"""The row, after those of the metrics, of the traffic as it is shown of the newest minute."""
_METRIC_OF_ROW = (*_NAMES, "requests")
_RATED = np.array([metric.per is not None for metric in METRICS.values()])
_PARTS = np.array([Rollout.NAMES.index(name) for name in _METRIC_OF_ROW])
_WHOLES = np.array([Rollout.NAMES.index(metric.per) for metric in METRICS.values() if metric.per is not None])
_SCALES = np.array([10.0 ** METRICS[name].digits for name in _METRIC_OF_ROW])
_RATED_ROWS = np.flatnonzero(_RATED)


class Dashboard:
    """The shown series of one rollout."""

    def __init__(self, world: World, rollout: Rollout, rng: np.random.Generator) -> None:
        self._faults = world.faults
        self._rollout = rollout
        size = HISTORY + world.deadline + SLACK
        self._scraped = rng.random((size, len(METRICS))) >= world.faults.gap_rate
        self._shown = np.full((len(_METRIC_OF_ROW), size, len(ARMS)), np.nan)
        self._known = 0

    @property
    def newest(self) -> int:
        """The last minute of which anything is shown."""
        return self._rollout.minute - self._faults.lag - 1

    def series(self, name: str, start: int, end: int) -> Array:
        """Return (minutes, arms) shown values of a metric over the minutes start .. end - 1, capped at the newest."""
        shown: Array = self._minutes([_ROW[name]], *self._span(start, end))[0]
        return shown

    def window(self, name: str, start: int, end: int) -> Array:
        """Return (arms,) one value a metric over a window: a mean by shown traffic for shares, by minute for levels."""
        value: Array = self.windows((name,), start, end)[0]
        return value

    def windows(self, names: Sequence[str], start: int, end: int) -> Array:
        """Return (metrics, arms): `window` of several metrics at once."""
        rows = [_ROW[name] for name in names]
        first, last = self._span(start, end)
        if first == last:
            return np.full((len(rows), len(ARMS)), np.nan)
        return self._means(rows, first, last, last - first)[:, 0]

    def buckets(self, name: str, start: int, end: int, minutes: int) -> Array:
        """Return (buckets, arms): `window` of one metric over each so many minutes from `start` on, oldest first."""
        first, last = self._span(start, end)
        if first == last:
            return np.empty((0, len(ARMS)))
        return self._means([_ROW[name]], first, last, minutes)[0]

    def _means(self, rows: Sequence[int], start: int, end: int, minutes: int) -> Array:
        """Return (rows, buckets, arms) means of known values, weighted by shown traffic where they are shares."""
        values = self._minutes(rows, start, end)
        weights = np.where(_RATED[rows, None, None], self._minutes([_REQUESTS], start, end), 1.0)
        weighted = values * weights
        known = weighted == weighted
        begins = np.arange(0, end - start, minutes)
        total = np.add.reduceat(np.where(known, weights, 0.0), begins, axis=1)
        summed = np.add.reduceat(np.where(known, weighted, 0.0), begins, axis=1)
        mean = np.divide(summed, total, out=np.full_like(total, np.nan), where=total > 0.0)
        scale = _SCALES[rows, None, None]
        rounded: Array = np.rint(mean * scale) / scale
        return rounded

    def _span(self, start: int, end: int) -> tuple[int, int]:
        end = min(end, self.newest + 1)
        return max(min(start, end), -HISTORY), max(end, -HISTORY)

    def _minutes(self, rows: Sequence[int], start: int, end: int) -> Array:
        """Return (rows, minutes, arms), a copy."""
        self._catch_up()
        shown: Array = self._shown[rows, start + HISTORY : end + HISTORY]
        if _REQUESTS in rows and end == self.newest + 1 and end > start:
            shown[rows.index(_REQUESTS), -1] = self._shown[_PARTIAL, end - 1 + HISTORY]
        return shown

    def _catch_up(self) -> None:
        """Work out what is shown of the minutes that have passed since the last look."""
        begin, end = self._known, self._rollout.minute + HISTORY
        if begin == end:
            return
        self._known = end
        truth = self._rollout.samples(begin - HISTORY, end - HISTORY)
        shown = truth[_PARTS]
        shown[_PARTIAL] *= FIRST_SHARE
        total = truth[_WHOLES]
        shown[_RATED_ROWS] = np.divide(
            100.0 * shown[_RATED_ROWS], total, out=np.full_like(total, np.nan), where=total > 0.0
        )
        self._spoil(shown, begin - HISTORY, end - HISTORY)
        scale = _SCALES[:, None, None]
        self._shown[:, begin:end] = np.rint(shown * scale) / scale

    def _spoil(self, shown: Array, start: int, end: int) -> None:
        """Apply the faults to all series of the minutes start .. end - 1, in place."""
        faults = self._faults
        for row, name in enumerate(_METRIC_OF_ROW):
            if name in faults.mislabelled:
                shown[row, :, CANARY] = np.where(np.isnan(shown[row, :, CANARY]), np.nan, shown[row, :, STABLE])
        if faults.stale is not None:
            self._freeze(shown, start, *faults.stale)
        if faults.counter_reset is not None:
            rows = _overlap(faults.counter_reset, faults.counter_reset + RESET_MINUTES, start, end)
            shown[_RATED_ROWS, rows, CANARY] = np.nan
        missing = ~self._scraped[start + HISTORY : end + HISTORY].T
        shown[:_PARTIAL][missing] = np.nan
        shown[_PARTIAL][missing[_REQUESTS]] = np.nan

    def _freeze(self, shown: Array, start: int, name: str, begin: int, end: int) -> None:
        """Let the canary's series repeat the value that it had just before `begin`."""
        minutes = _overlap(begin, end, start, start + shown.shape[1])
        if minutes.start == minutes.stop:
            return
        held = self._true_value(name, begin - 1)
        if np.isnan(held):
            return
        rows = [row for row, metric in enumerate(_METRIC_OF_ROW) if metric == name]
        shown[rows, minutes, CANARY] = held

    def _true_value(self, name: str, minute: int) -> np.float64:
        """Return the canary's value of a metric in one minute, before anything spoils it."""
        truth = self._rollout.samples(minute, minute + 1)[:, 0, CANARY]
        value: np.float64 = truth[Rollout.NAMES.index(name)]
        per = METRICS[name].per
        if per is None:
            return value
        total = truth[Rollout.NAMES.index(per)]
        return 100.0 * value / total if total > 0 else np.float64(np.nan)


def _overlap(begin: int, end: int, first: int, last: int) -> slice:
    """Return which of the minutes first .. last - 1 lie in begin .. end - 1, counted from `first`."""
    inside = range(max(begin, first), min(end, last))
    return slice(inside.start - first, inside.start - first + len(inside))
