"""The classic canary's telemetry under short names, error rates per 10,000 requests and traffic in per cent."""

from collections.abc import Mapping
from typing import Any

from releaseops_mcp.episodes.base import Json, Suite
from training.rendering.base import Rendering

NAMES: Mapping[str, str] = {
    "traffic_pct": "traffic",
    "canary_error_rate": "err",
    "stable_error_rate": "stable_err",
    "canary_p99_ms": "p99",
    "stable_p99_ms": "stable_p99",
    "differential_p99_ms": "gap",
    "alert_count": "alerts",
    "consecutive_holds": "holds",
    "step_number": "step",
    "rollback_on_error_rate": "max_err",
    "rollback_on_canary_p99_ms": "max_p99",
    "rollback_on_differential_p99_ms": "max_gap",
}
"""Observation field to name shown. `differential_error` is left out: it is the difference of two fields shown."""
PER_10_000 = frozenset({"canary_error_rate", "stable_error_rate", "rollback_on_error_rate"})
PERCENT = frozenset({"traffic_pct"})

BRIEF = """\
You supervise a canary rollout. Each call of decide_rollout is one decision on the telemetry shown.
traffic: % served by the canary. err: errors per 10000 requests, p99: latency in ms, gap: canary p99 minus stable p99.
max_...: guardrails; above one is a breach; null is none. Promote a sound canary steadily, roll a broken one back at
once. Alerts alone prove nothing. reasoning has at least 15 characters."""


class ClassicCanaryRendering(Rendering):
    """Short names and units; the result of a decision says nothing that the telemetry does not show."""

    suite = "classic-canary"

    def brief(self, suite: Suite) -> str:
        """Return the suite's task in a few lines, with the legend of the names."""
        return BRIEF

    def shape(self, observation: Json) -> Json:
        """Return the telemetry under short names."""
        return {name: _scaled(field, observation[field]) for field, name in NAMES.items()}

    def found(self, result: Json) -> Json:
        """Show only that a decision came too late."""
        return {} if result["applied"] else {"applied": False}


def _scaled(field: str, value: Any) -> Any:
    if value is None or field not in PER_10_000 | PERCENT:
        return value
    return round(value * (10_000 if field in PER_10_000 else 100), 4)


RENDERING = ClassicCanaryRendering()
