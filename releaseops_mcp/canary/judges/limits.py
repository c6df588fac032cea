"""How one bucket's value is held against a limit, for the judges that check values one by one."""

from collections.abc import Mapping

import numpy as np
from pydantic import Field

from releaseops_mcp.canary.judges.arm import Array
from releaseops_mcp.canary.judges.base import Judge, needed
from releaseops_mcp.canary.judges.series import Against, Series


def badness(canary: Array, control: Array, *, higher_is_worse: bool) -> Array:
    """Return how many times worse the canary is, bucket by bucket: 1 is the same, nan where either is unknown.

    Two zeros are the same; against a zero any harm is infinitely worse.
    """
    worse, better = (canary, control) if higher_is_worse else (control, canary)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = worse / better
    return np.where((worse == 0.0) & (better == 0.0), 1.0, ratio)


class LimitJudge(Judge):
    """What judges have in common that check each bucket against a limit."""

    limit: float = 1.5
    """What counts as a breach: a ratio to the control, or where `relative` is false a value in the metric's unit."""
    limits: Mapping[str, float] = Field(default_factory=dict)
    """Limits of single metrics, by name, in place of `limit`."""
    relative: bool = True
    """Whether the canary is held against the control (how many times worse) or against fixed values."""
    against: Against = "baseline"
    """The control: `baseline`, `stable`, or `pooled`."""

    def measured(self, series: Series) -> Array:
        """Return (buckets,) what is held against the limit."""
        canary = series.canary.array
        if not self.relative:
            return canary
        control = needed(series.control(self.against), series, self.name).array
        return badness(canary, control, higher_is_worse=series.higher_is_worse)

    def limit_of(self, series: Series) -> float:
        """Return the limit of one metric."""
        return self.limits.get(series.metric, self.limit)

    def beyond(self, series: Series, limit: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return (buckets,) where the canary is beyond a limit; False where there is no value."""
        values = self.measured(series)
        return values > limit if self.relative or series.higher_is_worse else values < limit

    def said(self, value: float) -> str:
        """Return a measured value as a reader wants it."""
        return f"{value:.3g} times the control" if self.relative else f"{value:.4g}"
