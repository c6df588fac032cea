"""A check an interval, as Flagger makes them: too many failed checks roll back, a bad last one halts."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from releaseops_mcp.canary.judges.limits import LimitJudge
from releaseops_mcp.canary.judges.series import Comparison, Series
from releaseops_mcp.canary.judges.verdict import Finding, Outcome, Trace, Verdict, together


class Flagger(LimitJudge):
    """Fails once `threshold` checks in all have failed; halts (inconclusive) while the newest failed or found nothing.

    A check passes where every metric is within its limit. Failed checks add up; good ones between do not erase them.
    """

    name: ClassVar[str] = "flagger-like"

    threshold: int = Field(default=5, ge=1)
    """How many failed checks roll back."""
    no_values_fail: bool = False
    """Whether a check without a value counts as failed; otherwise it only halts."""

    def judge(self, comparison: Comparison) -> Verdict:
        """Return the verdict over all buckets of a comparison."""
        return together(self.name, [self._finding(series) for series in comparison.series])

    def _finding(self, series: Series) -> Finding:
        values, limit = self.measured(series), self.limit_of(series)
        missing = np.isnan(values)
        failed = self.beyond(series, limit) | (missing & self.no_values_fail)
        counted = failed.cumsum()
        outcome, reason = self._outcome(failed, missing, limit)
        trace = Trace(label="failed checks", values=tuple(counted), bound=(float(self.threshold),) * values.size)
        figures = {
            "failed_checks": float(failed.sum()),
            "threshold": float(self.threshold),
            "without_value": float(missing.sum()),
        }
        return Finding(metric=series.metric, outcome=outcome, reason=reason, figures=figures, trace=trace)

    def _outcome(
        self,
        failed: np.ndarray[tuple[int], np.dtype[np.bool_]],
        missing: np.ndarray[tuple[int], np.dtype[np.bool_]],
        limit: float,
    ) -> tuple[Outcome, str]:
        checks = f"{int(failed.sum())} of {failed.size} checks"
        if failed.sum() >= self.threshold:
            return "fail", f"failed {checks} at {limit:g}, and {self.threshold} are enough"
        if not failed.size or missing[-1]:
            return "inconclusive", "is halted: no values found"
        if failed[-1]:
            return "inconclusive", f"is halted: the newest check failed ({checks})"
        return "pass", f"failed {checks}, under {self.threshold}"
