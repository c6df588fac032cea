"""The state assessor: what a snapshot means in its task. It reads unrounded numbers and never the seed.

Its thresholds are the reward's own, also where a guardrail that agents see has the same value: a figure may only
change with the reward's version.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

from releaseops_mcp.episodes.classic_canary.telemetry import Snapshot

BREACH_ERROR = 0.005
NOISE_P99_MS = 180.0
NOISE_ERROR_GAP = 0.001
SOUND_GAP_MS = 15.0
"""Up to this p99 gap a fleet-wide disturbance is noise, and a burst of alerts is a phantom."""
PHANTOM_ALERTS = 2


@dataclass(frozen=True, slots=True)
class BreachSigns:
    """What is a breach besides an error rate above `BREACH_ERROR`; inf where a figure is not looked at."""

    p99_ms: float = inf
    gap_ms: float = inf
    alerts: float = inf


@dataclass(frozen=True, slots=True)
class WarningSigns:
    """What is a warning: enough traffic, and any one of three figures at or above its threshold."""

    kind: str
    traffic: float
    gap_ms: float
    error: float = inf
    error_gap: float = inf


_ABSOLUTE = BreachSigns(p99_ms=200.0, alerts=0)
_DIFFERENTIAL = BreachSigns(gap_ms=50.0)

BREACHES: Mapping[str, BreachSigns] = MappingProxyType(
    {
        "easy": _ABSOLUTE,
        "medium": _ABSOLUTE,
        "hard": _DIFFERENTIAL,
        "expert": _DIFFERENTIAL,
        "recovery": _DIFFERENTIAL,
        "silent": _DIFFERENTIAL,
    }
)

WARNINGS: Mapping[str, WarningSigns] = MappingProxyType(
    {
        "medium": WarningSigns("trend_warning", 0.30, gap_ms=15.0, error=0.0035),
        "hard": WarningSigns("post_noise_watch", 0.20, gap_ms=20.0, error_gap=0.0015),
        "recovery": WarningSigns("transient_recovery_window", 0.20, gap_ms=20.0, error_gap=0.0012),
        "silent": WarningSigns("silent_differential_watch", 0.30, gap_ms=20.0, error_gap=0.0012),
    }
)

PUBLIC_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "shared_noise": "noise",
        "phantom_alert": "phantom_alert",
        "breach": "breach",
        "trend_warning": "warning",
        "post_noise_watch": "warning",
        "transient_recovery_window": "warning",
        "silent_differential_watch": "warning",
        "healthy": "healthy",
    }
)
"""State kind to the label that a supervisor should give."""


def assess(task: str, snapshot: Snapshot, traffic: float) -> str:
    """Return the state kind, a key of `PUBLIC_LABELS`: noise, phantom, breach, warning or healthy, first hit wins."""
    error, p99_ms, stable_error, stable_p99_ms, alerts = snapshot
    gap_ms, error_gap = p99_ms - stable_p99_ms, error - stable_error
    if task == "hard" and alerts == 0 and gap_ms <= SOUND_GAP_MS and error_gap <= NOISE_ERROR_GAP:
        if p99_ms >= NOISE_P99_MS and stable_p99_ms >= NOISE_P99_MS:
            return "shared_noise"
    elif task == "expert" and alerts >= PHANTOM_ALERTS and error <= BREACH_ERROR and gap_ms <= SOUND_GAP_MS:
        return "phantom_alert"
    breach = BREACHES[task]
    if error > BREACH_ERROR or p99_ms > breach.p99_ms or gap_ms > breach.gap_ms or alerts > breach.alerts:
        return "breach"
    warning = WARNINGS.get(task)
    if warning is not None and traffic >= warning.traffic:
        worsened = gap_ms >= warning.gap_ms or error >= warning.error or error_gap >= warning.error_gap
        return warning.kind if worsened else "healthy"
    return "healthy"
