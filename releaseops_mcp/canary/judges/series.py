"""What a judge is given: the metrics of a rollout, arm by arm, over the same buckets of time."""

from collections.abc import Callable
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from releaseops_mcp.canary.judges.arm import Arm, Numbers, plain, pooled
from releaseops_mcp.errors import InvalidArgument

Against = Literal["baseline", "stable", "pooled"]
"""Which arm the canary is held against; see `Series.control`."""


class Series(BaseModel):
    """One metric of a rollout, arm by arm."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    canary: Arm
    """The new version."""
    baseline: Arm | None = None
    """An equally fresh instance of the old version, with as much traffic: what a canary is best held against."""
    stable: Arm | None = None
    """The old version as it has been running."""
    higher_is_worse: bool = True

    @model_validator(mode="after")
    def _arms_fit(self) -> Self:
        lengths = {len(arm.values) for arm in (self.canary, self.baseline, self.stable) if arm is not None}
        if len(lengths) > 1:
            raise ValueError(f"{self.metric}: arms of different lengths {sorted(lengths)}: pad with nan")
        return self

    @classmethod
    def of(
        cls,
        metric: str,
        canary: Numbers,
        baseline: Numbers | None = None,
        stable: Numbers | None = None,
        *,
        higher_is_worse: bool = True,
    ) -> "Series":
        """Return a series of plain values."""
        arms = (None if values is None else Arm(values=plain(values)) for values in (canary, baseline, stable))
        first, second, third = arms
        assert first is not None
        return cls(metric=metric, canary=first, baseline=second, stable=third, higher_is_worse=higher_is_worse)

    def control(self, against: Against) -> Arm | None:
        """Return what the canary is held against; None where the series has neither baseline nor stable arm.

        `baseline` and `stable` fall back to each other. `pooled` adds up the counts of both, and is `baseline` for a
        metric that has none.
        """
        old = [arm for arm in (self.baseline, self.stable) if arm is not None]
        if against == "stable":
            old.reverse()
        if against == "pooled" and len(old) == 2 and old[0].events and old[1].events:
            return pooled(*old)
        return old[0] if old else None

    def map(self, change: Callable[[Arm], Arm]) -> "Series":
        """Return the series with each arm changed."""
        arms = {name: getattr(self, name) for name in ("canary", "baseline", "stable")}
        return self.model_copy(update={name: arm and change(arm) for name, arm in arms.items()})


class Comparison(BaseModel):
    """All metrics of a rollout over the same buckets of time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    series: tuple[Series, ...]
    times: tuple[float, ...] = ()
    """(buckets,) when each begins, in seconds; where it is empty a bucket's number stands for it."""

    @model_validator(mode="after")
    def _series_fit(self) -> Self:
        names = [each.metric for each in self.series]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"a comparison needs series with names of their own, not {names}")
        lengths = {len(each.canary.values) for each in self.series}
        lengths |= {len(self.times)} if self.times else lengths
        if len(lengths) > 1:
            raise ValueError(f"series and times of different lengths {sorted(lengths)}: pad with nan")
        return self

    @property
    def buckets(self) -> int:
        """How many buckets of time there are."""
        return len(self.series[0].canary.values)

    def part(self, start: int, end: int | None = None) -> "Comparison":
        """Return the buckets start .. end - 1, such as those after a warm-up."""
        series = tuple(each.map(lambda arm: arm.part(start, end)) for each in self.series)
        return Comparison(series=series, times=self.times[start:end])

    def every(self, buckets: int) -> "Comparison":
        """Return the comparison in coarser buckets: each makes one of this many; raises InvalidArgument below 1."""
        if buckets < 1:
            raise InvalidArgument(f"{buckets} buckets cannot be made into one: give at least 1")
        series = tuple(each.map(lambda arm: arm.every(buckets)) for each in self.series)
        return Comparison(series=series, times=self.times[::buckets])
