"""What a judge is given: the values of each arm of a rollout, a number a bucket of time, `nan` where there is none."""

import math
from collections.abc import Callable, Sequence
from typing import Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, model_validator

from releaseops_mcp.errors import InvalidArgument

Array = NDArray[np.float64]
Numbers = Sequence[float] | Array
T = TypeVar("T")
Against = Literal["baseline", "stable", "pooled"]
"""Which arm the canary is held against; see `Series.control`."""


class Arm(BaseModel):
    """One arm's series of one metric."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    values: tuple[float, ...]
    """(buckets,) what is compared, in any unit; nan where there is no value."""
    events: tuple[float, ...] | None = None
    """(buckets,) how often it happened, such as failed requests; None where the metric is no share of anything."""
    totals: tuple[float, ...] | None = None
    """(buckets,) out of how many."""

    @model_validator(mode="after")
    def _counts_fit(self) -> Self:
        if (self.events is None) != (self.totals is None):
            raise ValueError("events need totals, and totals events: give both or neither")
        for name, counts in (("events", self.events), ("totals", self.totals)):
            if counts is not None and len(counts) != len(self.values):
                raise ValueError(f"{len(counts)} {name} for {len(self.values)} values: give one a bucket")
            if any(count < 0.0 for count in counts or ()):
                raise ValueError(f"{name} below 0: give counts a bucket, such as Prometheus' increase()")
        if any(event > total for event, total in zip(self.events or (), self.totals or (), strict=True)):
            raise ValueError("more events than totals in a bucket: check which is which")
        return self

    @classmethod
    def of_counts(cls, events: Numbers, totals: Numbers) -> "Arm":
        """Return an arm whose values are events / totals; nan where a total is 0."""
        shares = (event / total if total else math.nan for event, total in zip(events, totals, strict=True))
        return cls(values=tuple(shares), events=_plain(events), totals=_plain(totals))

    @property
    def array(self) -> Array:
        """(buckets,) values."""
        return np.array(self.values, dtype=np.float64)

    def part(self, start: int, end: int | None) -> "Arm":
        """Return the buckets start .. end - 1."""
        rows = slice(start, end)
        events, totals = (None if counts is None else counts[rows] for counts in (self.events, self.totals))
        return Arm(values=self.values[rows], events=events, totals=totals)

    def every(self, buckets: int) -> "Arm":
        """Return an arm whose buckets are this many times as long: sums of counts, else means of what is known."""
        if self.events is None or self.totals is None:
            return Arm(values=tuple(_mean(each) for each in _runs(self.values, buckets)))
        pairs = list(zip(self.events, self.totals, strict=True))
        known = [[pair for pair in each if not math.isnan(sum(pair))] for each in _runs(pairs, buckets)]
        events, totals = ([sum(pair[column] for pair in each) for each in known] for column in (0, 1))
        return Arm.of_counts(events, totals)


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
        arms = (None if values is None else Arm(values=_plain(values)) for values in (canary, baseline, stable))
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
            return _pooled(*old)
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


def _plain(values: Numbers) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _runs(values: Sequence[T], length: int) -> list[Sequence[T]]:
    return [values[start : start + length] for start in range(0, len(values), length)]


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def _pooled(one: Arm, other: Arm) -> Arm:
    """Return two arms' counts added up; where one is unknown, the other alone."""
    totals = np.array([one.totals, other.totals], dtype=np.float64)
    events = np.array([one.events, other.events], dtype=np.float64)
    known = ~np.isnan(totals + events)
    summed = [np.where(known.any(axis=0), np.where(known, each, 0.0).sum(axis=0), np.nan) for each in (events, totals)]
    return Arm.of_counts(*summed)
