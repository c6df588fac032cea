"""A test with a planned number of looks, which spends little of its error early: O'Brien and Fleming's way."""

import math
from collections.abc import Callable
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from releaseops_mcp.canary.judges.arm import Array
from releaseops_mcp.canary.judges.base import needed
from releaseops_mcp.canary.judges.boundaries import obrien_fleming
from releaseops_mcp.canary.judges.counts import counts_of
from releaseops_mcp.canary.judges.limits import badness
from releaseops_mcp.canary.judges.margin import MarginJudge
from releaseops_mcp.canary.judges.scores import Scores, of_counts, of_levels
from releaseops_mcp.canary.judges.series import Against, Comparison, Series
from releaseops_mcp.canary.judges.verdict import Finding, Outcome, Trace, Verdict, together

LEAST_GROWTH = 0.01
"""Share of the information that a look must add, or it is left out."""


class GroupSequential(MarginJudge):
    """Fails at the first look at which harm beyond `margin` is significant.

    It passes once a harm beyond `harm` is ruled out. The looks are spread evenly over the planned `horizon`. Metrics
    with counts are compared by their share of events, others by the logarithm of the ratio to the control. The error is
    shared among the metrics. Unlike the e-process it must be asked only at its looks, and knows of no time beyond its
    horizon.
    """

    name: ClassVar[str] = "group-sequential"

    alpha: float = Field(default=0.05, gt=0.0, lt=1.0)
    """Chance of failing, at any look, a canary within the margin."""
    looks: int = Field(default=8, ge=1, le=64)
    """Planned looks."""
    horizon: int | None = Field(default=None, ge=1)
    """Buckets of the whole plan; None: as many as there are, the series being complete."""
    against: Against = "pooled"
    """The control: `baseline`, `stable`, or `pooled`."""

    def judge(self, comparison: Comparison) -> Verdict:
        """Return the verdict over all looks that lie within the comparison."""
        horizon = comparison.buckets if self.horizon is None else self.horizon
        planned = np.unique(np.ceil(np.arange(1, self.looks + 1) * horizon / self.looks).astype(np.int64))
        ends = planned[(planned > 0) & (planned <= comparison.buckets)]
        alpha = self.alpha / len(comparison.series)
        return together(self.name, [self._finding(each, ends, horizon, alpha) for each in comparison.series])

    def _finding(self, series: Series, ends: NDArray[np.int64], horizon: int, alpha: float) -> Finding:
        harm_scores, safety_scores = self._scores(series)
        harm, safety = harm_scores(ends), safety_scores(ends)
        bounds, safe_bounds = (_bounds(each, ends / horizon, alpha) for each in (harm, safety))
        failed, passed = np.flatnonzero(harm.z >= bounds), np.flatnonzero(safety.z >= safe_bounds)
        outcome: Outcome = "fail" if failed.size else "pass" if passed.size else "inconclusive"
        decisive = failed if failed.size else passed
        at = int(decisive[0]) if decisive.size else len(ends) - 1
        figures = {"looks": float(ends.size), "planned_looks": float(self.looks)}
        if ends.size:
            figures |= {"z_of_harm": float(harm.z[at]), "z_of_safety": float(safety.z[at])}
        if ends.size and math.isfinite(bounds[at]):
            figures["bound"] = float(bounds[at])
        reason = self._reason(outcome, at + 1)
        trace = _trace(series, ends, harm.z, bounds)
        return Finding(metric=series.metric, outcome=outcome, reason=reason, figures=figures, trace=trace)

    def _scores(self, series: Series) -> tuple[Callable[[NDArray[np.int64]], Scores], ...]:
        """Return what scores the looks for harm beyond the margin, and for safety below the harm."""
        counts = counts_of(series, self.against, self.name)
        if counts is not None:
            safety = partial(of_counts, counts.swapped(), 1.0 / self.ruled_out)
            return partial(of_counts, counts, self.margin), safety
        control = needed(series.control(self.against), series, self.name)
        ratios = badness(series.canary.array, control.array, higher_is_worse=series.higher_is_worse)
        logs = np.log(np.where(ratios > 0.0, ratios, np.nan))
        return partial(of_levels, logs, self.margin), partial(of_levels, -logs, 1.0 / self.ruled_out)

    def _reason(self, outcome: Outcome, look: int) -> str:
        where = f"at look {look} of {self.looks}"
        if outcome == "fail":
            return f"is over {self.margin:g} times the control's {where}"
        if outcome == "pass":
            return f"is under {self.ruled_out:g} times the control's {where}"
        return f"is shown neither over {self.margin:g} nor under {self.ruled_out:g} times the control's {where}"


def _bounds(scores: Scores, times: Array, alpha: float) -> Array:
    """Return (looks,) upper bounds, infinite at looks that add too little."""
    bounds = np.full(len(times), math.inf)
    kept: list[int] = []
    for look, known in enumerate(scores.information):
        before = scores.information[kept[-1]] if kept else 0.0
        if known - before > LEAST_GROWTH * known:
            kept.append(look)
    bounds[kept] = obrien_fleming(alpha, [times[look] for look in kept], [scores.information[look] for look in kept])
    return bounds


def _trace(series: Series, ends: NDArray[np.int64], z: Array, bounds: Array) -> Trace:
    values, bound = np.full((2, len(series.canary.values)), np.nan)
    values[ends - 1] = z
    bound[ends - 1] = np.where(np.isfinite(bounds), bounds, np.nan)
    return Trace(label="z of harm", values=tuple(values), bound=tuple(bound))
