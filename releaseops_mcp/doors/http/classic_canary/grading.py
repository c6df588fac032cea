"""POST /grader: the grade of one decision on telemetry that the caller names; no episode, nothing logged."""

from starlette.exceptions import HTTPException

from releaseops_mcp.doors.http.classic_canary.requests import GraderBody
from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.episodes.classic_canary.arguments import judge
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.episodes.classic_canary.telemetry import Snapshot
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.rewards.classic_canary.grader import Decision, grade
from releaseops_mcp.rewards.classic_canary.texts import EXPLANATIONS, feedback

MAX_SCORE = 1.0


def grade_one(asked: GraderBody) -> Json:
    """Return the grade; raises HTTPException 404 for an unknown task, then InvalidArgument for a bad action."""
    if asked.task_id not in TASKS:
        raise HTTPException(404, f"no task {ascii(asked.task_id)[:60]}: the tasks are {', '.join(TASKS)}")
    action = judge(asked.action)
    if isinstance(action, Refusal):
        raise InvalidArgument(action.message)
    snapshot = Snapshot(
        asked.canary_error_rate, asked.canary_p99_ms, asked.stable_error_rate, asked.stable_p99_ms, asked.alert_count
    )
    decision = Decision(action.action_type, action.state_assessment, action.slo_breach_detected)
    graded = grade(asked.task_id, snapshot, asked.traffic_pct, asked.consecutive_holds, decision)
    breakdown = graded.breakdown()
    return {
        "task_id": asked.task_id,
        "total_score": graded.score,
        "max_score": MAX_SCORE,
        "actual_breach": graded.actual_breach,
        "policy_assessment": graded.policy_assessment,
        "reward_breakdown": breakdown,
        **breakdown,
        "explanation": EXPLANATIONS[graded.policy_assessment],
        "feedback": feedback(graded.policy_assessment, graded.actual_breach, breakdown),
        "deterministic": True,
        "normalized": True,
    }
