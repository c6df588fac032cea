"""The hidden truth of one rollout: every parameter that a scenario draws, nothing that an agent may see.

Durations are in minutes, latencies in milliseconds, shares and probabilities in [0, 1], noise as the standard
deviation of a logarithm.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

DECISIONS = 16
"""Decisions within the deadline, where a world says nothing else."""
START_WEIGHT = 0.05
"""Share of traffic on the canary when the episode begins."""

Shape = Literal["none", "step", "ramp", "cliff", "leak", "periodic", "transient", "relapse"]
"""How a regression's strength moves; see `regressions`."""
Carrier = Literal["errors", "body", "tail", "conversion", "segment", "downstream"]
"""What a change makes worse: all errors, all latencies, the slow path, sales, one group's errors, the next service."""


@dataclass(frozen=True, slots=True)
class Load:
    """Traffic of the whole service: a base rate under a daily season, slow noise and bursts."""

    rpm: float
    """Requests a minute, all arms together, at an average moment."""
    daily: float
    """Amplitude of the daily season, as a share of the base."""
    half_daily: float
    """Amplitude of its second harmonic."""
    phase: float
    """Where in the day the rollout begins, in [0, 1)."""
    weekday: float
    """Factor of the day of the week."""
    noise: float
    """Standard deviation of the slow noise (AR(1), phi .9)."""
    bursts_per_hour: float
    burst_factor: float
    dispersion: float
    """Negative binomial's kappa: a smaller one scatters more; infinity is Poisson."""


@dataclass(frozen=True, slots=True)
class Service:
    """What the service does when nothing is wrong."""

    name: str
    value: float
    """What its users are worth, independent of traffic."""
    error_rate: float
    latency_ms: float
    """Median of the fast path."""
    latency_spread: float
    """Standard deviation of the logarithm of the latency."""
    slow_share: float
    """Share of requests on the slow path."""
    slow_factor: float
    """How many times slower that path is."""
    conversion: float
    segment: str
    """Name of the group of users that is watched by itself."""
    segment_share: float
    downstream: str
    """Name of the next service in the chain."""
    downstream_error_rate: float
    memory_mb: float
    headroom: float
    """Requests a minute that a fresh instance of the old version can take, as a factor of the service's usual load."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Disturbances that are nobody's fault."""

    shared: float
    """Standard deviation of what all arms share (AR(1))."""
    shared_phi: float
    own: float
    """Standard deviation of what each fresh arm has for itself (AR(1), phi .9); the stable arm has a third of it."""
    warm_up: float
    """Amplitude of the warm-up of fresh arms: errors begin at (1 + this) times the usual."""
    warm_up_minutes: float
    """Time constant of the warm-up's decay."""


@dataclass(frozen=True, slots=True)
class Incident:
    """Something outside the change that hits all arms alike."""

    start: float
    minutes: float
    factor: float
    on: Carrier
    settles: bool = True
    """Whether it ends; one that does not only grows, over `minutes`."""


@dataclass(frozen=True, slots=True)
class Regression:
    """What the change itself does to the canary."""

    shape: Shape = "none"
    effects: Mapping[Carrier, float] = field(default_factory=dict[Carrier, float])
    """Risk ratio at full strength, by carrier; below 1 improves (a conversion is divided by it)."""
    onset: float = 0.0
    minutes: float = 1.0
    """Of the ramp, the leak, the period or the transient."""
    headroom: float = 2.0
    """Requests a minute that the canary's instances can take, as a factor of the whole service's usual load."""
    memory: float = 0.0
    """How much memory the canary gains, as a share of the usual, over `memory_minutes`."""
    memory_minutes: float = 1.0
    memory_settles: bool = False
    """Whether the gain levels off (a cache that fills) or goes on (a leak)."""
    bad: bool = False
    """Whether the change ought to be rolled back."""

    @property
    def risk_ratio(self) -> float:
        """The largest risk ratio at full strength; 1.0 where the change is not bad."""
        return max(self.effects.values(), default=1.0) if self.bad else 1.0


@dataclass(frozen=True, slots=True)
class Faults:
    """How the dashboards differ from the truth."""

    lag: int = 1
    """Minutes by which every series is late."""
    gap_rate: float = 0.0
    """Share of minutes that were never scraped."""
    stale: tuple[str, int, int] | None = None
    """A metric whose canary series repeats its last value, from one minute to another."""
    counter_reset: int | None = None
    """Minute in which the canary's counters begin anew, so that its rates are missing."""
    mislabelled: tuple[str, ...] = ()
    """Metrics whose canary series is really the stable arm's: the query has the wrong label."""
    applied_weight: float = 1.0
    """Traffic that the mesh really sends, as a factor of what was asked for."""
    storm_per_hour: float = 0.0
    """Alerts an hour that have nothing to do with the canary."""
    storm: tuple[int, int] | None = None
    """Minutes between which such alerts come thick and fast."""
    silenced: bool = False
    """Whether the canary's own alerts are muted."""


@dataclass(frozen=True, slots=True)
class World:
    """The truth of one scenario."""

    family: str
    """Identifier such as `f07-leak-twin`: the operator's name, never shown to an agent."""
    seed: int
    interval: int
    """Minutes between two decisions."""
    load: Load
    service: Service
    noise: Noise
    incidents: tuple[Incident, ...]
    regression: Regression
    faults: Faults
    decisions: int = DECISIONS
    """Decisions within the deadline."""

    @property
    def deadline(self) -> int:
        """Minute at which the rollout must be decided."""
        return self.decisions * self.interval
