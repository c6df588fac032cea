"""One arm's values of one metric, a number a bucket of time, `nan` where there is none."""

import math
from collections.abc import Sequence
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, model_validator

Array = NDArray[np.float64]
Numbers = Sequence[float] | Array
T = TypeVar("T")


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
        return cls(values=tuple(shares), events=plain(events), totals=plain(totals))

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
        """Return an arm whose buckets are this many times as long: sums of counts, means of the values that are known.

        Where there are totals, a value weighs as much as its total, so that a share remains one in whatever unit.
        """
        if self.events is None or self.totals is None:
            rows = [(value, 1.0, 1.0) for value in self.values]
        else:
            rows = list(zip(self.values, self.events, self.totals, strict=True))
        known = [[row for row in run if not math.isnan(sum(row))] for run in _runs(rows, buckets)]
        weights = [math.fsum(total for _, _, total in run) for run in known]
        summed = [math.fsum(value * total for value, _, total in run) for run in known]
        values = tuple(total / weight if weight else math.nan for total, weight in zip(summed, weights, strict=True))
        if self.events is None:
            return Arm(values=values)
        events = tuple(math.fsum(event for _, event, _ in run) for run in known)
        return Arm(values=values, events=events, totals=tuple(weights))


def pooled(one: Arm, other: Arm) -> Arm:
    """Return two arms' counts added up; where one is unknown, the other alone."""
    totals = np.array([one.totals, other.totals], dtype=np.float64)
    events = np.array([one.events, other.events], dtype=np.float64)
    known = ~np.isnan(totals + events)
    summed = [np.where(known.any(axis=0), np.where(known, each, 0.0).sum(axis=0), np.nan) for each in (events, totals)]
    return Arm.of_counts(*summed)


def plain(values: Numbers) -> tuple[float, ...]:
    """Return numbers as a tuple of floats."""
    return tuple(float(value) for value in values)


def _runs(values: Sequence[T], length: int) -> list[Sequence[T]]:
    return [values[start : start + length] for start in range(0, len(values), length)]
