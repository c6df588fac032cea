"""The three policies' figures: every task at seed 0, and over the seeds of the sweep."""

from collections.abc import Mapping

from releaseops_mcp.artifacts.policies import POLICIES, play_policy
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.suite import SWEEP_SEEDS
from releaseops_mcp.episodes.classic_canary.tasks import TASKS

BENCHMARK_SEED = 0
ORDERED_AT_SEED_0 = ("hard", "recovery", "silent")
ORDERED_OVER_THE_SWEEP = ("hard", "expert", "recovery", "silent")


def policy_benchmark() -> Json:
    """Return each policy's figures at seed 0, and the order of the policies in three tasks."""
    policies: dict[str, Json] = {
        name: {"description": policy.description, **_figures(name, BENCHMARK_SEED)} for name, policy in POLICIES.items()
    }
    scores = {name: policies[name]["scores"] for name in policies}
    orderings = {f"{task}_task_ordering": ordering(scores, task) for task in ORDERED_AT_SEED_0}
    return {"policies": policies, "seed": BENCHMARK_SEED, **orderings}


def policy_sweep() -> Json:
    """Return each policy's figures seed by seed and their means, and the order of the policies in four tasks."""
    policies: dict[str, Json] = {
        name: {"description": policy.description, **_swept(name)} for name, policy in POLICIES.items()
    }
    scores = {name: policies[name]["aggregate_scores"] for name in policies}
    orderings = {f"aggregate_{task}_ordering": ordering(scores, task) for task in ORDERED_OVER_THE_SWEEP}
    return {"policies": policies, "tasks": list(TASKS), "seeds": list(SWEEP_SEEDS), **orderings}


def ordering(scores: Mapping[str, Mapping[str, float]], task: str) -> list[str]:
    """Return the policies by their score in a task, best first; equal ones in the order of the table."""
    return sorted(scores, key=lambda name: -scores[name][task])


def mean(values: list[float]) -> float:
    """Return the mean, 4 decimals."""
    return round(sum(values) / len(values), 4)


def _figures(name: str, seed: int) -> Json:
    details = {task: play_policy(name, task, seed) for task in TASKS}
    scores = {task: details[task]["score"] for task in TASKS}
    return {"scores": scores, "average": mean(list(scores.values())), "details": details}


def _swept(name: str) -> Json:
    per_seed = {str(seed): _figures(name, seed) for seed in SWEEP_SEEDS}
    aggregate = {task: mean([figures["scores"][task] for figures in per_seed.values()]) for task in TASKS}
    return {
        "per_seed": per_seed,
        "aggregate_scores": aggregate,
        "aggregate_average": mean(list(aggregate.values())),
    }
