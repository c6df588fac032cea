"""The shapes of what is graded: a decision, an episode, and how it came about."""

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.episodes.classic_canary.contract import CanaryObservation

_Closed = ConfigDict(frozen=True, extra="forbid")


class Breakdown(BaseModel):
    """The four components of a grade."""

    model_config = _Closed

    breach_detection_score: float
    rollback_timing_score: float
    promotion_safety_score: float
    reasoning_score: float


class ScoreBreakdown(Breakdown):
    """The mean of each component over an episode, and its score."""

    total_score: float


class LastEvaluation(BaseModel):
    """How a decision was graded."""

    model_config = _Closed

    step_reward: float
    episode_score: float
    """Mean of the step scores so far."""
    actual_breach: bool
    policy_assessment: str
    reward_breakdown: Breakdown
    explanation: str
    feedback: list[str]
    summary: str
    feedback_text: str


class GradedAction(BaseModel):
    """A decision, as it was read."""

    model_config = _Closed

    action_type: str
    reasoning: str
    slo_breach_detected: bool
    state_assessment: str


class PostObservation(CanaryObservation):
    """What a decision led to."""

    step_reward: float
    episode_score: float
    is_done: bool


class TranscriptEntry(BaseModel):
    """One decision with its grading."""

    model_config = _Closed

    decision_number: int
    pre_observation: CanaryObservation
    action: GradedAction
    step_score: float
    actual_breach: bool
    policy_assessment: str
    reward_breakdown: Breakdown
    explanation: str
    post_observation: PostObservation


class BreachPoint(BaseModel):
    """The first decision that was taken in a breach."""

    model_config = _Closed

    decision_number: int
    step_number: int
    traffic_pct: float
    canary_error_rate: float
    differential_p99_ms: float
    alert_count: int


class RollbackAssessment(BaseModel):
    """Whether a rollback was taken, and when."""

    model_config = _Closed

    rollback_action_taken: bool
    relative_to_first_breach: str
    relative_to_benchmark_point: str
    rollback_traffic_pct: float | None
    benchmark_rollback_at: float | None


class EpisodeResult(BaseModel):
    """The full account of an episode."""

    model_config = _Closed

    episode_id: str
    task_id: str
    task_name: str
    seed: int
    steps: int
    episode_score: float
    outcome: str
    """success, max_steps_reached, rollback or in_progress."""
    score_breakdown: ScoreBreakdown
    first_breach_point: BreachPoint | None
    rollback_assessment: RollbackAssessment
    episode_summary: str
    transcript: list[TranscriptEntry]


class Grading(Breakdown):
    """The grade of one decision."""

    task_id: str
    total_score: float
    max_score: float
    actual_breach: bool
    policy_assessment: str
    reward_breakdown: Breakdown
    explanation: str
    feedback: list[str]
    deterministic: bool
    normalized: bool
