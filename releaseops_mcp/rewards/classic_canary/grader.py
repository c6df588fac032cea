"""Grades one decision: used by the fold over an episode, and by itself for any telemetry that a caller names."""

from typing import NamedTuple

from releaseops_mcp.episodes.classic_canary.telemetry import Snapshot
from releaseops_mcp.rewards.classic_canary import grades
from releaseops_mcp.rewards.classic_canary.assessor import PUBLIC_LABELS, assess

COMPONENTS: tuple[str, ...] = (
    "breach_detection_score",
    "rollback_timing_score",
    "promotion_safety_score",
    "reasoning_score",
)


class Decision(NamedTuple):
    """What is graded of a decision; its prose is never read."""

    action_type: str
    state_assessment: str
    slo_breach_detected: bool


class Grade(NamedTuple):
    """One decision's grade."""

    state_kind: str
    public_label: str
    """The label that the supervisor should have given."""
    policy_assessment: str
    """One of 29 labels."""
    breach_detection: float
    rollback_timing: float
    promotion_safety: float
    reasoning: float
    score: float
    """The sum of the four, within [0.0001, 0.9999], 4 decimals."""

    @property
    def actual_breach(self) -> bool:
        """Whether the state was a breach."""
        return self.state_kind == "breach"

    def breakdown(self) -> dict[str, float]:
        """Return the four components, 4 decimals."""
        weights = (self.breach_detection, self.rollback_timing, self.promotion_safety, self.reasoning)
        return {name: round(weight, 4) for name, weight in zip(COMPONENTS, weights, strict=True)}


def grade(task: str, snapshot: Snapshot, traffic: float, holds: int, decision: Decision) -> Grade:
    """Return the grade of a decision taken at `traffic` after `holds` holds in a row, on unrounded telemetry."""
    kind = assess(task, snapshot, traffic)
    label = PUBLIC_LABELS[kind]
    weights = grades.GRADES[kind][decision.action_type]
    detection = weights.breach_detection
    timing = weights.rollback_timing
    if timing is None:
        timing = grades.rollback_timing(task, traffic)
    safety = weights.promotion_safety
    if holds > 0 and weights.repeated_promotion_safety is not None:
        safety = weights.repeated_promotion_safety
    reasoning = _reasoning(label, decision)
    lowest, highest = grades.SCORE_RANGE
    score = round(max(lowest, min(highest, detection + timing + safety + reasoning)), 4)
    return Grade(kind, label, weights.label, detection, timing, safety, reasoning, score)


def _reasoning(label: str, decision: Decision) -> float:
    """Return what label and flag earn: the flag must agree with the truth and with the stated label."""
    said, flag = decision.state_assessment, decision.slo_breach_detected
    earned = grades.REASONING_LABEL if said == label else 0.0
    if flag == (label == "breach") == (said == "breach"):
        earned += grades.REASONING_FLAG
    return earned
