"""The bodies that the original read through models: unknown fields are ignored, and a wrong one is a 422."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from releaseops_mcp.episodes.classic_canary.contract import Count, Share

MAX_SEED = 10**18 - 1
DEFAULT_TASK = "easy"

_Ignoring = ConfigDict(frozen=True, extra="ignore")
Reading = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Seed = Annotated[
    int,
    Field(ge=0, le=MAX_SEED, json_schema_extra={"type": ["integer", "null"]}),
    BeforeValidator(lambda seed: 0 if seed is None else seed),
]
"""A seed of at most 18 digits; null is 0."""


class ResetBody(BaseModel):
    """Which world a stateless reset shows."""

    model_config = _Ignoring

    task: Any = DEFAULT_TASK
    """A task's id; anything else is `easy`."""
    seed: Seed = 0


class StepBody(BaseModel):
    """A decision, alone."""

    model_config = _Ignoring

    action: dict[str, Any]


class EpisodeBody(BaseModel):
    """Which world an episode plays."""

    model_config = _Ignoring

    task: str = DEFAULT_TASK
    seed: Seed = 0


class EpisodeStepBody(StepBody):
    """A decision in an episode."""

    action_id: Any = None
    """Optional name of this very decision: sent again, it is applied once and answered as before."""


class GraderBody(BaseModel):
    """A decision, and the telemetry that it was taken on."""

    model_config = _Ignoring

    task_id: str
    action: dict[str, Any]
    traffic_pct: Share
    canary_error_rate: Share
    canary_p99_ms: Reading
    stable_error_rate: Share
    stable_p99_ms: Reading
    alert_count: Count = 0
    step_number: Count = 0
    """Not looked at."""
    consecutive_holds: Count = 0
    """Holds in a row before this decision."""
