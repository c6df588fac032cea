"""What the canary clients return."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.episodes.classic_canary.contract import CanaryObservation


class RolloutObservation(CanaryObservation):
    """The 13 fields of a canary observation, with what the original's client filled in beside them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reward: float | None = None
    """What the decision before it scored; 0.0 after a reset."""
    done: bool = False


class StepResult(BaseModel):
    """What one decision came to."""

    model_config = ConfigDict(frozen=True)

    observation: RolloutObservation
    reward: float | None
    done: bool


class BegunEpisode(BaseModel):
    """An episode that was begun over plain HTTP. Fields that a newer server adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    episode_id: str
    episode_context: dict[str, Any]
    """task_id, task_name, difficulty, failure_pattern, seed, defaulted_task, requested_task."""
    observation: CanaryObservation
    done: bool


class EpisodeStep(BaseModel):
    """What one decision came to, over plain HTTP. Fields that a newer server adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    observation: CanaryObservation
    reward: float
    done: bool
    evaluation: dict[str, Any] | None = None
    """The grading of this decision; None where the server keeps it back."""
    episode_result: dict[str, Any] | None = None
    """The full account, once the episode is over; None where the server keeps it back."""
