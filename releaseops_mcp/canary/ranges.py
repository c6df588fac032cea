"""From which ranges a world is drawn, by its seed: what training sees, what is held out of it, and what lies outside.

Held-out worlds are as hard as those of training, in places between or beside them that training never shows: other
paces, a band of traffic, other names. Those of stress lie outside on purpose: louder noise, worse telemetry, more
traffic, longer rollouts. How bad a change may be is the same everywhere, since the reward's weights rest on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

FIRST_HELD_OUT, FIRST_STRESS = 200_000, 300_000
"""The seeds from which on worlds are drawn from the held-out ranges, and from those of stress."""

Span = tuple[float, float]
"""Lowest and highest value."""


@dataclass(frozen=True, slots=True)
class Band:
    """A span of traffic, in requests a minute, with a part that is left out of it."""

    low: float
    high: float
    without: Span | None = None
    """What falls in here is moved above it, by the ratio of its ends."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Everything in which the splits differ; spans are drawn from uniformly, traffic log-uniformly."""

    intervals: tuple[int, ...]
    """Minutes between two decisions; the longest is that of services with little traffic."""
    decisions: int
    """Decisions within the deadline."""
    services: tuple[str, ...]
    downstreams: tuple[str, ...]
    segments: tuple[str, ...]
    traffic: Band
    low_traffic: Band
    """Of services with little traffic."""
    shared: Span
    """Standard deviation of the noise that all arms share."""
    own: Span
    """Standard deviation of one instance's own noise; an arm's falls with the root of its instances."""
    warm_up: Span
    lag: tuple[int, int]
    """Minutes by which the series are late, both ends included."""
    gap_rate: Span
    storm_per_hour: Span
    stale: float
    """Share of worlds in which a series stands still for a while."""
    counter_reset: float
    """Share of worlds in which the counters begin anew."""
    misapplied: float
    """Share of worlds whose mesh sends another share than it is asked for."""
    applied_weights: tuple[float, ...]
    """What it sends then, as factors."""


TRAINING = Ranges(
    intervals=(5, 6, 8, 10),
    decisions=16,
    services=("basket", "ledger", "pricing", "search", "profile", "booking", "dispatch", "inbox"),
    downstreams=("stock", "payments", "identity", "mailer", "routing", "tax"),
    segments=("ios", "android", "eu-west", "new-users", "business", "guests"),
    traffic=Band(200.0, 60_000.0, without=(4_000.0, 6_000.0)),
    low_traffic=Band(10.0, 150.0, without=(40.0, 60.0)),
    shared=(0.2, 0.6),
    own=(0.1, 0.6),
    warm_up=(0.0, 1.0),
    lag=(1, 3),
    gap_rate=(0.0, 0.02),
    storm_per_hour=(0.0, 0.6),
    stale=0.15,
    counter_reset=0.15,
    misapplied=0.1,
    applied_weights=(0.6, 1.5),
)
HELD_OUT = Ranges(
    intervals=(7, 9),
    decisions=16,
    services=("checkout", "catalog", "quotes", "library"),
    downstreams=("vault", "courier", "ratings"),
    segments=("web", "partners", "ap-south"),
    traffic=Band(4_000.0, 6_000.0),
    low_traffic=Band(40.0, 60.0),
    shared=TRAINING.shared,
    own=TRAINING.own,
    warm_up=TRAINING.warm_up,
    lag=TRAINING.lag,
    gap_rate=TRAINING.gap_rate,
    storm_per_hour=TRAINING.storm_per_hour,
    stale=TRAINING.stale,
    counter_reset=TRAINING.counter_reset,
    misapplied=TRAINING.misapplied,
    applied_weights=TRAINING.applied_weights,
)
STRESS = Ranges(
    intervals=(11, 12),
    decisions=24,
    services=("archive-api", "tickets", "metering"),
    downstreams=("quota", "signing"),
    segments=("tablets", "resellers"),
    traffic=Band(60_000.0, 300_000.0),
    low_traffic=Band(5.0, 10.0),
    shared=(0.6, 0.9),
    own=(0.6, 1.0),
    warm_up=(1.0, 1.5),
    lag=(4, 6),
    gap_rate=(0.05, 0.15),
    storm_per_hour=(0.6, 1.2),
    stale=0.5,
    counter_reset=0.5,
    misapplied=0.5,
    applied_weights=(0.5, 1.8),
)
BY_SPLIT: Mapping[str, Ranges] = MappingProxyType({"train": TRAINING, "held-out": HELD_OUT, "stress": STRESS})


def ranges_of(seed: int) -> Ranges:
    """Return the ranges that the worlds of a seed are drawn from."""
    if seed >= FIRST_STRESS:
        return STRESS
    return HELD_OUT if seed >= FIRST_HELD_OUT else TRAINING


def ranges_at(interval: int) -> Ranges:
    """Return the ranges of the rollouts that have this pace, which no two share; raises ValueError for none."""
    for ranges in BY_SPLIT.values():
        if interval in ranges.intervals:
            return ranges
    paces = sorted(pace for ranges in BY_SPLIT.values() for pace in ranges.intervals)
    raise ValueError(f"no rollout decides every {interval} minutes: the paces are {paces}")
