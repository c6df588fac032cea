"""The plain gate: the first bucket beyond the limit fails."""

from typing import ClassVar

import numpy as np

from releaseops_mcp.canary.judges.limits import LimitJudge
from releaseops_mcp.canary.judges.series import Comparison, Series
from releaseops_mcp.canary.judges.verdict import Finding, Trace, Verdict, together


class Threshold(LimitJudge):
    """Fails at the first bucket in which a metric is beyond its limit; passes otherwise; no value, no verdict.

    On a healthy canary it fails the sooner the more buckets it sees and the fewer requests each has.
    """

    name: ClassVar[str] = "threshold"

    def judge(self, comparison: Comparison) -> Verdict:
        """Return the verdict over all buckets of a comparison."""
        return together(self.name, [self._finding(series) for series in comparison.series])

    def _finding(self, series: Series) -> Finding:
        values, limit = self.measured(series), self.limit_of(series)
        breaches = np.flatnonzero(self.beyond(series, limit))
        known = int((~np.isnan(values)).sum())
        figures = {"limit": limit, "breaches": float(breaches.size), "buckets": float(known)}
        trace = Trace(label="value", values=tuple(values), bound=(limit,) * values.size)
        if breaches.size:
            first = int(breaches[0])
            reason = f"was {self.said(values[first])} in bucket {first + 1}, beyond {limit:g}"
            figures |= {"first_breach": float(first), "value": float(values[first])}
            return Finding(metric=series.metric, outcome="fail", reason=reason, figures=figures, trace=trace)
        if not known:
            return Finding(metric=series.metric, outcome="inconclusive", reason="has no value", figures=figures)
        reason = f"stayed within {limit:g} in {known} buckets"
        return Finding(metric=series.metric, outcome="pass", reason=reason, figures=figures, trace=trace)
