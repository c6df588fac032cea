"""How the scripted canary supervisors read an observation: they see what an agent sees, and do not know the task.

The thresholds are these supervisors' own, on shown (rounded) values; the reward's are elsewhere.
"""

from releaseops_mcp.episodes.base import Json

SOUND_GAP_MS = 15.0
DEFAULT_GAP_GUARD_MS = 50.0


def breach(observation: Json) -> bool:
    """Return whether a visible guardrail is broken; alerts do not count."""
    p99_guard_ms = observation["rollback_on_canary_p99_ms"]
    gap_guard_ms = observation["rollback_on_differential_p99_ms"]
    return (
        observation["canary_error_rate"] > observation["rollback_on_error_rate"]
        or (p99_guard_ms is not None and observation["canary_p99_ms"] > p99_guard_ms)
        or (gap_guard_ms is not None and observation["differential_p99_ms"] > gap_guard_ms)
    )


def phantom(observation: Json) -> bool:
    """Return whether several alerts fire over sound metrics."""
    gap_guard_ms = observation["rollback_on_differential_p99_ms"] or DEFAULT_GAP_GUARD_MS
    return (
        observation["alert_count"] >= 2
        and not breach(observation)
        and observation["canary_error_rate"] <= observation["rollback_on_error_rate"]
        and observation["differential_p99_ms"] <= min(SOUND_GAP_MS, gap_guard_ms)
    )


def noise(observation: Json) -> bool:
    """Return whether both fleets are slow alike."""
    return (
        observation["canary_p99_ms"] >= 180.0
        and observation["stable_p99_ms"] >= 180.0
        and observation["differential_p99_ms"] <= SOUND_GAP_MS
        and observation["differential_error"] <= 0.001
        and not breach(observation)
    )


def warning(observation: Json) -> bool:
    """Return whether the canary worsens without being in breach, and neither noise nor a phantom explains it."""
    if phantom(observation) or noise(observation) or breach(observation):
        return False
    p99_guard_ms = observation["rollback_on_canary_p99_ms"]
    gap_guard_ms = observation["rollback_on_differential_p99_ms"]
    near_guard = (
        p99_guard_ms is not None
        and observation["traffic_pct"] >= 0.30
        and (
            observation["canary_error_rate"] >= max(0.0035, 0.7 * observation["rollback_on_error_rate"])
            or observation["canary_p99_ms"] >= 0.9 * p99_guard_ms
            or observation["differential_p99_ms"] >= 15.0
        )
    )
    diverging = (
        gap_guard_ms is not None
        and observation["traffic_pct"] >= 0.20
        and (observation["differential_p99_ms"] >= 20.0 or observation["differential_error"] >= 0.0015)
    )
    return near_guard or diverging


_READINGS = (("phantom_alert", phantom), ("noise", noise), ("breach", breach), ("warning", warning))


def label(observation: Json) -> str:
    """Return the state label of the first reading that applies, else healthy."""
    return next((name for name, applies in _READINGS if applies(observation)), "healthy")
