"""The formulas: what canary and stable fleet show at traffic `x` (a double, unrounded) before decision number `n + 1`.

Each class holds the constants of one world and is pure. The order of every sum is part of the contract: the figures
must agree with the original's to the last bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from releaseops_mcp.errors import VersionMismatch

MODEL_VERSION = "1"
"""Version of these formulas; a truth names the one that its constants were made for."""

STABLE_ERROR = 0.001
_ALERT_ERROR = 0.005
_ALERT_P99_MS = 200.0
_ALERT_GAP_MS = 50.0
_SILENT_WINDOW_TRAFFIC = 0.30
_PHANTOM_TRAFFIC = 0.10
_REGRESSED_P99_MS = 140.0


class Snapshot(NamedTuple):
    """The telemetry of one moment, unrounded."""

    canary_error: float
    canary_p99_ms: float
    stable_error: float
    stable_p99_ms: float
    alerts: int


class Telemetry(Protocol):
    """One world's telemetry."""

    def snapshot(self, x: float, n: int) -> Snapshot:
        """Return what is measured at traffic `x` after `n` decisions."""
        ...


def _with_gap_alert(error: float, p99_ms: float, stable_p99_ms: float) -> Snapshot:
    alerts = 1 if error > _ALERT_ERROR or p99_ms - stable_p99_ms > _ALERT_GAP_MS else 0
    return Snapshot(error, p99_ms, STABLE_ERROR, stable_p99_ms, alerts)


@dataclass(frozen=True, slots=True)
class RampTelemetry:
    """Easy and medium: errors and latency rise with traffic beyond an onset."""

    base_error: float
    error_per_traffic: float
    base_p99_ms: float
    p99_ms_per_traffic: float
    onset_traffic: float

    def snapshot(self, x: float, n: int) -> Snapshot:
        """Return the ramp at `x`; `n` does not matter."""
        beyond = x - self.onset_traffic
        error = self.base_error + max(0.0, beyond * self.error_per_traffic)
        p99_ms = self.base_p99_ms + max(0.0, beyond * self.p99_ms_per_traffic)
        alerts = 1 if error > _ALERT_ERROR or p99_ms > _ALERT_P99_MS else 0
        return Snapshot(error, p99_ms, STABLE_ERROR, self.base_p99_ms, alerts)


@dataclass(frozen=True, slots=True)
class NoiseTelemetry:
    """Hard: one step of noise that both fleets share, then a regression that grows with traffic and with time."""

    noise_step: int
    warning_traffic: float
    breach_traffic: float
    severe_traffic: float
    stable_p99_ms: float
    noise_p99_ms: float
    warning_error: float
    warning_error_per_step: float
    warning_p99_ms: float
    warning_p99_ms_per_step: float
    breach_error: float
    breach_error_per_traffic: float
    breach_error_per_step: float
    breach_p99_ms: float
    breach_p99_ms_per_traffic: float
    breach_p99_ms_per_step: float
    severe_error: float
    severe_error_per_traffic: float
    severe_error_per_step: float
    severe_p99_ms: float
    severe_p99_ms_per_traffic: float
    severe_p99_ms_per_step: float

    def snapshot(self, x: float, n: int) -> Snapshot:
        """Return noise, severe breach, breach, warning or calm, the first that applies."""
        error, p99_ms, stable_p99_ms = STABLE_ERROR, self.stable_p99_ms, self.stable_p99_ms
        k = max(0, n - (self.noise_step + 1))
        if x >= self.warning_traffic and n == self.noise_step:
            p99_ms = stable_p99_ms = self.stable_p99_ms + self.noise_p99_ms
        elif x >= self.severe_traffic:
            beyond = x - self.severe_traffic
            error = self.severe_error + beyond * self.severe_error_per_traffic + k * self.severe_error_per_step
            p99_ms = self.severe_p99_ms + beyond * self.severe_p99_ms_per_traffic + k * self.severe_p99_ms_per_step
        elif x >= self.breach_traffic:
            beyond = x - self.breach_traffic
            error = self.breach_error + beyond * self.breach_error_per_traffic + k * self.breach_error_per_step
            p99_ms = self.breach_p99_ms + beyond * self.breach_p99_ms_per_traffic + k * self.breach_p99_ms_per_step
        elif x >= self.warning_traffic and n > self.noise_step:
            error = self.warning_error + k * self.warning_error_per_step
            p99_ms = self.warning_p99_ms + k * self.warning_p99_ms_per_step
        return _with_gap_alert(error, p99_ms, stable_p99_ms)


@dataclass(frozen=True, slots=True)
class PhantomTelemetry:
    """Expert: a burst of alerts over sound metrics at one step, and a real regression with more traffic."""

    phantom_step: int
    breach_traffic: float
    phantom_alerts: int
    idle_error: float
    idle_p99_ms: float
    stable_p99_ms: float
    error_per_traffic: float
    p99_ms_per_traffic: float

    def snapshot(self, x: float, n: int) -> Snapshot:
        """Return the phantom (which masks a breach), the regression or the idle metrics."""
        if x >= _PHANTOM_TRAFFIC and n == self.phantom_step:
            return Snapshot(self.idle_error, self.idle_p99_ms, STABLE_ERROR, self.stable_p99_ms, self.phantom_alerts)
        if x >= self.breach_traffic:
            beyond = x - max(0.10, self.breach_traffic - 0.10)
            error = STABLE_ERROR + max(0.0, beyond * self.error_per_traffic)
            p99_ms = _REGRESSED_P99_MS + max(0.0, beyond * self.p99_ms_per_traffic)
            return _with_gap_alert(error, p99_ms, self.stable_p99_ms)
        return Snapshot(self.idle_error, self.idle_p99_ms, STABLE_ERROR, self.stable_p99_ms, 0)


@dataclass(frozen=True, slots=True)
class TransientTelemetry:
    """Recovery: a disturbance that passes by itself; no alert, no breach."""

    start_step: int
    window_traffic: float
    window_steps: int
    stable_p99_ms: float
    transient_error: float
    transient_p99_ms: float
    recovered_error: float
    recovered_gap_ms: float

    def snapshot(self, x: float, n: int) -> Snapshot:
        """Return calm, the disturbance or what is left of it."""
        stable_p99_ms = self.stable_p99_ms
        error, p99_ms = STABLE_ERROR, stable_p99_ms
        if x >= self.window_traffic and n >= self.start_step:
            if n <= self.start_step + self.window_steps - 1:
                error, p99_ms = self.transient_error, self.transient_p99_ms
            else:
                error, p99_ms = self.recovered_error, stable_p99_ms + self.recovered_gap_ms
        return Snapshot(error, p99_ms, STABLE_ERROR, stable_p99_ms, 0)


@dataclass(frozen=True, slots=True)
class SilentTelemetry:
    """Silent: the latency gap to the stable fleet widens with traffic and time, and no alert fires."""

    breach_traffic: float
    severe_traffic: float
    lag_steps: int
    stable_p99_ms: float
    warning_gap_ms: float
    warning_gap_ms_per_step: float
    warning_error: float
    warning_error_per_step: float
    breach_gap_ms: float
    breach_gap_ms_per_traffic: float
    breach_gap_ms_per_step: float
    breach_error: float
    breach_error_per_traffic: float
    breach_error_per_step: float
    severe_gap_ms: float
    severe_gap_ms_per_traffic: float
    severe_gap_ms_per_step: float
    severe_error: float
    severe_error_per_traffic: float
    severe_error_per_step: float

    def snapshot(self, x: float, n: int) -> Snapshot:
        """Return severe, confirmed or early regression, or calm, the first that applies."""
        stable_p99_ms = self.stable_p99_ms
        k = max(0, n - 3)
        watched = x >= _SILENT_WINDOW_TRAFFIC
        if x >= self.severe_traffic or (watched and k >= self.lag_steps + 2):
            beyond = max(0.0, x - self.severe_traffic)
            error = self.severe_error + beyond * self.severe_error_per_traffic + k * self.severe_error_per_step
            gap_ms = self.severe_gap_ms + beyond * self.severe_gap_ms_per_traffic + k * self.severe_gap_ms_per_step
            p99_ms = stable_p99_ms + gap_ms
        elif x >= self.breach_traffic or (watched and k >= self.lag_steps):
            beyond = max(0.0, x - self.breach_traffic)
            error = self.breach_error + beyond * self.breach_error_per_traffic + k * self.breach_error_per_step
            gap_ms = self.breach_gap_ms + beyond * self.breach_gap_ms_per_traffic + k * self.breach_gap_ms_per_step
            p99_ms = stable_p99_ms + gap_ms
        elif watched:
            error = self.warning_error + k * self.warning_error_per_step
            p99_ms = stable_p99_ms + self.warning_gap_ms + k * self.warning_gap_ms_per_step
        else:
            error, p99_ms = STABLE_ERROR, stable_p99_ms
        return Snapshot(error, p99_ms, STABLE_ERROR, stable_p99_ms, 0)


_CLASSES: Mapping[str, Any] = MappingProxyType(
    {
        "easy": RampTelemetry,
        "medium": RampTelemetry,
        "hard": NoiseTelemetry,
        "expert": PhantomTelemetry,
        "recovery": TransientTelemetry,
        "silent": SilentTelemetry,
    }
)


def telemetry_of(task: str, constants: Mapping[str, float], model_version: str = MODEL_VERSION) -> Telemetry:
    """Return the telemetry of one world; raises VersionMismatch for constants of another model."""
    if model_version != MODEL_VERSION:
        raise VersionMismatch(
            f"classic-canary telemetry model {model_version!r} is not installed here (this is {MODEL_VERSION!r}): "
            "re-score this log with the package version that wrote it"
        )
    return _CLASSES[task](**constants)
