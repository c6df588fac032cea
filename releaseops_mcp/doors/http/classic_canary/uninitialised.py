"""What an environment shows before its first reset: a calm world that is over, and a state without a task."""

from uuid import uuid4

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.tasks import ERROR_GUARD


def observation() -> Json:
    """Return the observation of no world."""
    return {
        "traffic_pct": 0.0,
        "canary_error_rate": 0.001,
        "canary_p99_ms": 140.0,
        "stable_error_rate": 0.001,
        "stable_p99_ms": 140.0,
        "differential_error": 0.0,
        "differential_p99_ms": 0.0,
        "alert_count": 0,
        "consecutive_holds": 0,
        "step_number": 0,
        "rollback_on_error_rate": ERROR_GUARD,
        "rollback_on_canary_p99_ms": None,
        "rollback_on_differential_p99_ms": None,
    }


def step_result() -> Json:
    """Return what a decision comes to."""
    return {"observation": observation(), "reward": 0.0, "done": True}


def state() -> Json:
    """Return the state; its episode_id is new each time and names nothing."""
    return {"episode_id": str(uuid4()), "step_count": 0}
