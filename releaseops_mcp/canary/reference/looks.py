"""Reads what `inspect_metric` shows into buckets of a few minutes, with the requests behind each."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.metrics import ARMS, CANARY, STABLE

Array = NDArray[np.float64]

BUCKET = 3
"""Fewest minutes of a bucket, where there are as many."""
COUNTED = ("errors", "conversion", "segment_errors", "downstream_errors")
"""Metrics that are shares of requests."""
COARSE = ("cpu", "requests")
"""Metrics that are shown too coarsely to tell a repeated value from a held one."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """What a metric was over the minutes start .. end - 1."""

    start: int
    end: int
    rows: int
    """Minutes of which a value is known."""
    values: Array
    """(arms,) mean; of the logarithm where the metric is a level; nan where nothing is known."""
    requests: Array
    """(arms,) a minute."""

    @property
    def middle(self) -> float:
        """The minute in its middle."""
        return 0.5 * (self.start + self.end)


def mislabelled(view: Mapping[str, Any]) -> bool | None:
    """Return whether the canary's traffic is really the stable arm's; None where there is none to compare."""
    canary, stable = view["canary_requests"], view["stable_requests"]
    return canary == stable if canary and stable else None


def lag_of(view: Mapping[str, Any], window: int) -> int | None:
    """Return by how many minutes the series is late; None where its buckets are too coarse to tell."""
    rows = len(view["canary"])
    return window - rows if view["bucket_minutes"] == 1 and rows else None


def buckets_of(view: Mapping[str, Any], shares: Array, lag: int, minute: int) -> list[Bucket]:
    """Return a view's buckets from minute 0 on.

    `shares` is (minutes, arms): the traffic that was asked for; it spreads the view's total requests over its minutes.
    """
    width, start, end = view["bucket_minutes"], view["from_minute"], minute - lag
    values = _values(view)
    totals = np.array([float(view[f"{arm}_requests"]) for arm in ARMS])
    whole = shares[max(start, 0) : max(end, 1)].sum(axis=0)
    per_share = np.where(whole > 0.0, totals / np.maximum(whole, 1e-9), 0.0)
    step = max(1, math.ceil(BUCKET / width))
    found: list[Bucket] = []
    for row in range(0, len(values), step):
        begin, stop = start + row * width, min(start + (row + step) * width, end)
        if begin < 0 or stop <= begin:
            continue
        part = values[row : row + step]
        known = ~np.isnan(part[:, :STABLE]).any(axis=1)
        mean = part[known].mean(axis=0) if known.any() else np.full(len(ARMS), np.nan)
        requests = per_share * shares[begin:stop].mean(axis=0)
        found.append(Bucket(begin, stop, int(known.sum()) * width, mean, requests))
    return found


def _values(view: Mapping[str, Any]) -> Array:
    """Return (rows, arms) values, logarithms where the metric is a level; held ones are missing."""
    columns: Sequence[Sequence[float | None]] = [view[arm] for arm in ARMS]
    values = np.array([[math.nan if each is None else float(each) for each in column] for column in columns]).T
    if view["metric"] not in COARSE:
        held = np.zeros(len(values), dtype=np.bool_)
        held[1:] = (values[1:, CANARY] == values[:-1, CANARY]) & (values[1:, CANARY] > 0.0)
        values[held, CANARY] = np.nan
    if view["metric"] not in COUNTED:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(values > 0.0, np.log(values), np.nan)
    return values
