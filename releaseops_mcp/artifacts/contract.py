"""Samples of what the server answers, so that a change of its contract shows as a change of a file."""

from releaseops_mcp.agents.scripted.classic_canary_policies import cautious_decision
from releaseops_mcp.artifacts.benchmark import ORDERED_AT_SEED_0
from releaseops_mcp.client.canary_episodes import CanaryEpisodesClient
from releaseops_mcp.episodes.base import Json

_TASK_FIELDS = (
    "id",
    "name",
    "difficulty",
    "expected_baseline_score",
    "expected_trained_score",
    "correct_rollback_at",
)


def endpoint_sample(client: CanaryEpisodesClient, baseline: Json, benchmark: Json) -> Json:
    """Return the server's health, summaries of its tasks and of its baseline, and the first step of an episode."""
    begun = client.begin("easy", 0)
    stepped = client.step(begun.episode_id, cautious_decision(begun.observation.model_dump()))
    return {
        "health": {"status": client.get("/health")["status"]},
        "tasks_summary": [{field: task[field] for field in _TASK_FIELDS} for task in client.get("/tasks")["tasks"]],
        "baseline_summary": {
            "agent_type": baseline["agent_type"],
            "scores": baseline["scores"],
            "average": baseline["average"],
            "outcomes": {task: detail["outcome"] for task, detail in baseline["details"].items()},
        },
        "episode_create": begun.model_dump(),
        "episode_step": stepped.model_dump(),
        "policy_orderings": {task: benchmark[f"{task}_task_ordering"] for task in ORDERED_AT_SEED_0},
    }
