"""The metrics of a rollout, and how each is made of what the simulator samples."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

ARMS = ("canary", "baseline", "stable")
"""The new version, an equally fresh instance of the old one, and the old one as it has been running."""
CANARY, BASELINE, STABLE = range(3)

Source = Literal["errors", "conversions", "segment_errors", "downstream_errors", "p50", "p99", "memory", "cpu"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One series that a dashboard shows for each arm."""

    name: str
    unit: str
    digits: int
    """Decimals that are shown."""
    per: str | None
    """The counter that it is a share of, in percent; None where it is a level."""
    summary: str
    higher_is_worse: bool = True


_ALL = (
    Metric("requests", "requests a minute", 0, None, "traffic that the arm served", higher_is_worse=False),
    Metric("errors", "% of requests", 3, "requests", "requests answered with an error"),
    Metric("latency_p50", "ms", 1, None, "median latency"),
    Metric("latency_p99", "ms", 1, None, "99th percentile of latency"),
    Metric("conversion", "% of requests", 3, "requests", "requests that end in a sale", higher_is_worse=False),
    Metric("segment_errors", "% of the segment's requests", 3, "segment_requests", "errors of one group of users"),
    Metric("downstream_errors", "% of calls", 3, "requests", "calls to the next service that failed"),
    Metric("memory", "MB", 0, None, "memory in use by an instance"),
    Metric("cpu", "%", 1, None, "processor time in use by an instance"),
)

METRICS: Mapping[str, Metric] = MappingProxyType({metric.name: metric for metric in _ALL})
"""By name, in the order in which they are shown."""
