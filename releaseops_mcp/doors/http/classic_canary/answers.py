"""The shapes of classic-canary's answers, for documents and tests: no answer runs through them."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.doors.http.classic_canary.graded import (
    BreachPoint,
    EpisodeResult,
    LastEvaluation,
    RollbackAssessment,
    ScoreBreakdown,
    TranscriptEntry,
)
from releaseops_mcp.doors.http.classics.openenv import State
from releaseops_mcp.episodes.classic_canary.contract import CanaryObservation

_Closed = ConfigDict(frozen=True, extra="forbid")


class StepResult(BaseModel):
    """OpenEnv's answer to a reset or a step."""

    model_config = _Closed

    observation: CanaryObservation
    reward: float
    done: bool


class EpisodeContext(BaseModel):
    """Which world an episode plays."""

    model_config = _Closed

    task_id: str
    task_name: str
    difficulty: str
    failure_pattern: str
    seed: int
    defaulted_task: bool
    """Whether an unknown task was asked for."""
    requested_task: str


class Begun(BaseModel):
    """A fresh episode."""

    model_config = _Closed

    episode_id: str
    episode_context: EpisodeContext
    observation: CanaryObservation
    done: bool


class Stepped(StepResult):
    """What a decision in an episode came to."""

    evaluation: LastEvaluation | None
    """Null without the grader's token, where the server has one."""
    episode_result: EpisodeResult | None = None
    """With the decision that ends the episode; null without the grader's token, where the server has one."""


class CanaryState(State):
    """The state of an episode; before a reset only its first two fields."""

    task_id: str | None = None
    seed: int | None = None
    defaulted_task: bool | None = None
    requested_task: str | None = None


class BaselineDetail(BaseModel):
    """How the baseline did in one task."""

    model_config = _Closed

    score: float
    steps: int
    outcome: str
    score_breakdown: ScoreBreakdown
    rollback_assessment: RollbackAssessment
    first_breach_point: BreachPoint | None
    episode_summary: str
    transcript: list[TranscriptEntry]


class ScoreContract(BaseModel):
    """What the figures mean."""

    model_config = _Closed

    per_step_score_range: tuple[float, float]
    episode_score_range: tuple[float, float]
    episode_score_definition: str


class BaselineAnswer(BaseModel):
    """How the baseline did in every task."""

    model_config = _Closed

    agent_type: str
    description: str
    scores: dict[str, float]
    average: float
    details: dict[str, BaselineDetail]
    score_contract: ScoreContract
    normalized: bool


class ListedTask(BaseModel):
    """One task."""

    model_config = _Closed

    id: str
    name: str
    failure_pattern: str
    difficulty: str
    expected_baseline_score: tuple[float, float]
    expected_trained_score: tuple[float, float]
    correct_rollback_at: float | None


class TaskList(BaseModel):
    """The tasks, and how they are played and graded."""

    model_config = _Closed

    environment: str
    description: str
    tasks: list[ListedTask]
    slo_thresholds: dict[str, float]
    action_schema: dict[str, Any]
    observation_schema: dict[str, Any]
    scoring_weights: dict[str, float]
    notes: dict[str, Any]
