"""Measurements with a success and a failure condition, counted as Argo Rollouts counts them."""

from collections import Counter
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from releaseops_mcp.canary.judges.limits import LimitJudge
from releaseops_mcp.canary.judges.series import Comparison, Series
from releaseops_mcp.canary.judges.verdict import Finding, Outcome, Trace, Verdict, together

Phase = Literal["successful", "failed", "inconclusive", "error"]


class Argo(LimitJudge):
    """Fails once more than `failure_limit` measurements have failed, or more than `error_limit` in a row found nothing.

    A measurement beyond `limit` fails. With `success` given too, one within it succeeds and one between the two is
    inconclusive; more than `inconclusive_limit` of those pause the rollout.
    """

    name: ClassVar[str] = "argo-like"

    success: float | None = None
    """Up to where a measurement succeeds; None: wherever it does not fail."""
    failure_limit: int = Field(default=0, ge=0)
    """How many failed measurements are tolerated."""
    inconclusive_limit: int = Field(default=0, ge=0)
    """How many inconclusive measurements are tolerated."""
    error_limit: int = Field(default=4, ge=0)
    """How many errors in a row are tolerated."""
    missing: Literal["error", "compare", "successful", "failed", "inconclusive"] = "error"
    """What a measurement without a value is. `compare`: what comes of a nan in a condition, all of which are false: it
    never fails, and is inconclusive only where there is a success condition to miss."""

    def judge(self, comparison: Comparison) -> Verdict:
        """Return the verdict over all buckets of a comparison."""
        return together(self.name, [self._finding(series) for series in comparison.series])

    def phases(self, series: Series) -> list[Phase]:
        """Return what each measurement came to."""
        failed = self.beyond(series, self.limit_of(series))
        short = np.zeros_like(failed) if self.success is None else self.beyond(series, self.success)
        return [
            self._missing() if np.isnan(value) else "failed" if bad else "inconclusive" if unsure else "successful"
            for value, bad, unsure in zip(self.measured(series), failed, short, strict=True)
        ]

    def _missing(self) -> Phase:
        if self.missing == "compare":
            return "successful" if self.success is None else "inconclusive"
        return self.missing

    def _finding(self, series: Series) -> Finding:
        phases = self.phases(series)
        outcome, reason = self._outcome(phases)
        counted = Counter(phases)
        failures = np.cumsum([phase == "failed" for phase in phases])
        trace = Trace(
            label="failed measurements",
            values=tuple(float(count) for count in failures),
            bound=(self.failure_limit + 1.0,) * len(phases),
        )
        figures = {
            "measurements": float(len(phases)),
            "failed": float(counted["failed"]),
            "inconclusive": float(counted["inconclusive"]),
            "errors": float(counted["error"]),
        }
        return Finding(metric=series.metric, outcome=outcome, reason=reason, figures=figures, trace=trace)

    def _outcome(self, phases: list[Phase]) -> tuple[Outcome, str]:
        """Return what the measurements come to; the first limit that is passed ends the run."""
        seen: Counter[Phase] = Counter()
        in_a_row = 0
        for number, phase in enumerate(phases, start=1):
            seen[phase] += 1
            in_a_row = in_a_row + 1 if phase == "error" else 0
            if seen["failed"] > self.failure_limit:
                return "fail", f"failed {seen['failed']} of {number} measurements, and {self.failure_limit} are allowed"
            if in_a_row > self.error_limit:
                return "fail", f"ended in an error: {in_a_row} measurements in a row without a value"
            if seen["inconclusive"] > self.inconclusive_limit:
                return "inconclusive", f"met neither condition in {seen['inconclusive']} of {number} measurements"
        if len(phases) == seen["error"]:
            return "inconclusive", "has no value yet"
        return "pass", f"failed {seen['failed']} of {len(phases)} measurements, and {self.failure_limit} are allowed"
