"""Draws the parameters that all families have in common, from the ranges that were measured on real services.

What differs between the splits is in `ranges`; a draw takes as many random numbers whichever they are.

Rates are log-uniform, so that a service of 20 requests a minute is as likely as one of 20,000 within its range. Twins
draw the same: what differs between them is planted by their family afterwards.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from releaseops_mcp.canary.metrics import METRICS
from releaseops_mcp.canary.ranges import Band, Ranges, Span
from releaseops_mcp.canary.world import Carrier, Faults, Incident, Load, Noise, Service

T = TypeVar("T")

VALUES = (0.6, 1.0, 1.4)
PRIMARY: Mapping[Carrier, float] = {"errors": 0.45, "body": 0.2, "downstream": 0.2, "conversion": 0.15}
"""Which carrier a change makes worse where the family leaves it open."""
TAIL_TOO = 0.5
"""Share of error regressions in which the tail of the latency moves along."""


class Draw:
    """Random numbers by shape; one stream, so the order of the calls matters."""

    def __init__(self, rng: np.random.Generator, ranges: Ranges) -> None:
        self._rng = rng
        self.ranges = ranges

    def uniform(self, low: float, high: float) -> float:
        """Return a number in [low, high), to six digits."""
        return round(float(self._rng.uniform(low, high)), 6)

    def log_uniform(self, low: float, high: float) -> float:
        """Return a number in [low, high) whose logarithm is uniform, to six significant digits."""
        return float(f"{math.exp(self._rng.uniform(math.log(low), math.log(high))):.6g}")

    def within(self, span: Span) -> float:
        """Return a number in a span, to six digits."""
        return self.uniform(*span)

    def traffic(self, band: Band) -> float:
        """Return requests a minute, log-uniform in a band but for the part that is left out of it."""
        rpm = self.log_uniform(band.low, band.high)
        if band.without is None or not band.without[0] <= rpm < band.without[1]:
            return rpm
        low, high = band.without
        return float(f"{rpm * high / low:.6g}")

    def chance(self, share: float) -> bool:
        """Return True with this probability."""
        return bool(self._rng.random() < share)

    def whole(self, low: int, high: int) -> int:
        """Return an integer in low .. high."""
        return int(self._rng.integers(low, high + 1))

    def one_of(self, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
        """Return one of the options."""
        shares = None if weights is None else np.array(weights) / sum(weights)
        return options[int(self._rng.choice(len(options), p=shares))]

    def risk_ratio(self, low: float = 1.1, high: float = 6.0) -> float:
        """Return how many times worse a change makes things."""
        return self.log_uniform(low, high)

    def effects(self, risk_ratio: float) -> dict[Carrier, float]:
        """Return what a change of this size makes worse, where the family leaves it open."""
        primary = self.one_of(tuple(PRIMARY), tuple(PRIMARY.values()))
        effects: dict[Carrier, float] = {primary: risk_ratio}
        if self.chance(TAIL_TOO) and primary == "errors":
            effects["tail"] = risk_ratio
        return effects


def incidents_like(
    effects: Mapping[Carrier, float], start: float, minutes: float, *, settles: bool = True
) -> tuple[Incident, ...]:
    """Return what looks like a change with these effects, but hits all arms."""
    return tuple(Incident(start, minutes, factor, carrier, settles) for carrier, factor in effects.items())


@dataclass(frozen=True, slots=True)
class Common:
    """What every rollout has, whatever its family plants."""

    interval: int
    decisions: int
    load: Load
    service: Service
    noise: Noise
    faults: Faults

    @property
    def deadline(self) -> int:
        """Minute at which the rollout must be decided."""
        return self.decisions * self.interval


def common(draw: Draw) -> Common:
    """Draw interval, load, service, noise and the everyday faults of dashboards."""
    interval, decisions = draw.one_of(draw.ranges.intervals), draw.ranges.decisions
    return Common(interval, decisions, _load(draw), _service(draw), _noise(draw), _faults(draw))


def _load(draw: Draw) -> Load:
    daily = draw.uniform(0.02, 0.7)
    return Load(
        rpm=draw.traffic(draw.ranges.traffic),
        daily=daily,
        half_daily=round(daily * draw.uniform(0.0, 0.3), 6),
        phase=draw.uniform(0.0, 1.0),
        weekday=draw.one_of((1.0, 1.0, 1.0, 1.0, 1.0, 0.7, 0.6)),
        noise=draw.uniform(0.05, 0.15),
        bursts_per_hour=draw.uniform(0.0, 0.6),
        burst_factor=draw.uniform(1.3, 3.0),
        dispersion=draw.one_of((20.0, 60.0, 200.0, math.inf)),
    )


def _service(draw: Draw) -> Service:
    return Service(
        name=draw.one_of(draw.ranges.services),
        value=draw.one_of(VALUES),
        error_rate=draw.log_uniform(1e-4, 2e-2),
        latency_ms=draw.log_uniform(20.0, 400.0),
        latency_spread=draw.uniform(0.25, 0.6),
        slow_share=draw.log_uniform(0.005, 0.05),
        slow_factor=draw.uniform(3.0, 8.0),
        conversion=draw.log_uniform(0.01, 0.08),
        segment=draw.one_of(draw.ranges.segments),
        segment_share=draw.uniform(0.2, 0.45),
        downstream=draw.one_of(draw.ranges.downstreams),
        downstream_error_rate=draw.log_uniform(3e-4, 2e-2),
        memory_mb=draw.log_uniform(200.0, 4_000.0),
        headroom=draw.uniform(1.6, 2.4),
    )


def _noise(draw: Draw) -> Noise:
    pods = draw.whole(2, 12)
    return Noise(
        shared=draw.within(draw.ranges.shared),
        shared_phi=draw.uniform(0.8, 0.95),
        own=round(draw.within(draw.ranges.own) / math.sqrt(pods), 6),
        warm_up=draw.within(draw.ranges.warm_up),
        warm_up_minutes=draw.uniform(2.0, 6.0),
    )


def _faults(draw: Draw) -> Faults:
    ranges = draw.ranges
    lag, gaps, storms = draw.whole(*ranges.lag), draw.within(ranges.gap_rate), draw.within(ranges.storm_per_hour)
    metric, start, minutes = draw.one_of(tuple(METRICS)), draw.whole(0, 60), draw.whole(5, 20)
    stale, reset, applied = (draw.chance(share) for share in (ranges.stale, ranges.counter_reset, ranges.misapplied))
    return Faults(
        lag=lag,
        gap_rate=gaps,
        storm_per_hour=storms,
        stale=(metric, start, start + minutes) if stale else None,
        counter_reset=start if reset else None,
        applied_weight=draw.one_of(ranges.applied_weights) if applied else 1.0,
    )
