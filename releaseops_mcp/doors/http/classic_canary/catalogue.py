"""GET /tasks: the tasks with the scores to be expected in them, the guardrails, the schemas and the weights."""

from collections.abc import Mapping
from types import MappingProxyType

from releaseops_mcp.doors.http.classic_canary.notes import NOTES
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.contract import CanaryAction, CanaryObservation
from releaseops_mcp.episodes.classic_canary.tasks import DIFFERENTIAL_P99_GUARD_MS, ERROR_GUARD, P99_GUARD_MS, TASKS
from releaseops_mcp.rewards.classic_canary.grades import BENCHMARKS

NAME = "canary-release-env"
DESCRIPTION = "Supervise a canary rollout: promote what is sound, hold what is unclear, roll back what breaks."

EXPECTED: Mapping[str, tuple[list[float], list[float]]] = MappingProxyType(
    {
        "easy": ([0.92, 0.96], [0.94, 1.0]),
        "medium": ([0.80, 0.85], [0.90, 0.95]),
        "hard": ([0.79, 0.82], [0.90, 0.95]),
        "expert": ([0.69, 0.71], [0.85, 0.92]),
        "recovery": ([0.90, 0.92], [0.93, 0.98]),
        "silent": ([0.80, 0.86], [0.91, 0.97]),
    }
)
"""Score of the baseline and of a trained supervisor, as the original published them: from, to."""
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"breach_detection": 0.35, "rollback_timing": 0.25, "promotion_safety": 0.30, "reasoning": 0.10}
)
"""The most that each component may earn."""


def task_list() -> Json:
    """Return the answer of GET /tasks."""
    return {
        "environment": NAME,
        "description": DESCRIPTION,
        "tasks": [_listed(task) for task in TASKS],
        "slo_thresholds": {
            "error_rate": ERROR_GUARD,
            "p99_ms": P99_GUARD_MS,
            "differential_p99_ms": DIFFERENTIAL_P99_GUARD_MS,
        },
        "action_schema": CanaryAction.model_json_schema(),
        "observation_schema": CanaryObservation.model_json_schema(),
        "scoring_weights": dict(WEIGHTS),
        "notes": dict(NOTES),
    }


def _listed(task_id: str) -> Json:
    task = TASKS[task_id]
    baseline, trained = EXPECTED[task_id]
    return {
        "id": task.id,
        "name": task.name,
        "failure_pattern": task.failure_pattern,
        "difficulty": task.difficulty,
        "expected_baseline_score": baseline,
        "expected_trained_score": trained,
        "correct_rollback_at": BENCHMARKS[task_id],
    }
