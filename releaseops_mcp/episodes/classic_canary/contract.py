"""What a supervisor may decide and what it is shown: the types of the original's wire contract."""

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.dynamics import Position
from releaseops_mcp.episodes.classic_canary.tasks import ERROR_GUARD, Task
from releaseops_mcp.episodes.classic_canary.telemetry import Snapshot

ActionType = Literal["increase_5", "increase_10", "increase_25", "hold", "rollback"]
StateLabel = Literal["healthy", "warning", "noise", "phantom_alert", "breach"]

ACTION_TYPES: tuple[str, ...] = get_args(ActionType)
STATE_LABELS: tuple[str, ...] = get_args(StateLabel)
MIN_REASONING_CHARS = 15

Share = Annotated[float, Field(ge=0, le=1)]
Milliseconds = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]


class CanaryAction(BaseModel):
    """One decision."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    action_type: ActionType
    reasoning: str = Field(min_length=MIN_REASONING_CHARS)
    """At least 15 characters, not trimmed; never scored."""
    slo_breach_detected: bool
    """Read in pydantic's lax mode: `"yes"`, `"true"` and `1` are true."""
    state_assessment: StateLabel
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Free for the caller; logged, never read."""


class CanaryObservation(BaseModel):
    """The 13 fields that a supervisor sees, rounded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    traffic_pct: Share
    """Share of traffic on the canary, 4 decimals."""
    canary_error_rate: Share
    """Failed share of the canary's requests, 6 decimals."""
    canary_p99_ms: Milliseconds
    stable_error_rate: Share
    stable_p99_ms: Milliseconds
    differential_error: float
    """Canary minus stable, from unrounded values."""
    differential_p99_ms: float
    """Canary minus stable, from unrounded values."""
    alert_count: Count
    consecutive_holds: int = 0
    step_number: int = 0
    rollback_on_error_rate: Share
    rollback_on_canary_p99_ms: float | None
    """Absent (null) in tasks that judge p99 against the stable fleet."""
    rollback_on_differential_p99_ms: float | None
    """Absent (null) in tasks that judge p99 absolutely."""


_flag = TypeAdapter(bool)


def flag_of(value: Any) -> bool:
    """Return a valid call's `slo_breach_detected` as the bool that the contract reads it as."""
    return value if isinstance(value, bool) else _flag.validate_python(value)


def shown(task: Task, position: Position, snapshot: Snapshot) -> Json:
    """Return the observation of a moment: a fresh object, `CanaryObservation`'s fields, rounded."""
    canary_error, canary_p99_ms, stable_error, stable_p99_ms, alerts = snapshot
    return {
        "traffic_pct": round(position.traffic, 4),
        "canary_error_rate": round(canary_error, 6),
        "canary_p99_ms": round(canary_p99_ms, 2),
        "stable_error_rate": round(stable_error, 6),
        "stable_p99_ms": round(stable_p99_ms, 2),
        "differential_error": round(canary_error - stable_error, 6),
        "differential_p99_ms": round(canary_p99_ms - stable_p99_ms, 2),
        "alert_count": alerts,
        "consecutive_holds": position.holds,
        "step_number": position.step,
        "rollback_on_error_rate": ERROR_GUARD,
        "rollback_on_canary_p99_ms": task.p99_guard_ms,
        "rollback_on_differential_p99_ms": task.differential_p99_guard_ms,
    }
