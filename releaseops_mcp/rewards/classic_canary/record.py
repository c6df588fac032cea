"""The full account of an episode: transcript, mean components, first breach, how the rollback was timed."""

from collections.abc import Sequence
from dataclasses import dataclass

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.contract import flag_of
from releaseops_mcp.rewards.classic_canary.grader import COMPONENTS, Grade
from releaseops_mcp.rewards.classic_canary.grades import BENCHMARKS
from releaseops_mcp.rewards.classic_canary.texts import EXPLANATIONS


@dataclass(frozen=True, slots=True)
class Entry:
    """One graded decision, as the log and the fold hold it."""

    arguments: Json
    grade: Grade
    episode_score: float
    """Mean of the step scores up to and including this one, 4 decimals."""
    before: Json
    """The observation that the decision was taken on."""
    after: Json
    done: bool


def transcript_entry(number: int, entry: Entry) -> Json:
    """Return one transcript entry: the original's 9 keys, `number` counting from 1."""
    grade, arguments = entry.grade, entry.arguments
    return {
        "decision_number": number,
        "pre_observation": dict(entry.before),
        "action": {
            "action_type": arguments["action_type"],
            "reasoning": arguments["reasoning"],
            "slo_breach_detected": flag_of(arguments["slo_breach_detected"]),
            "state_assessment": arguments["state_assessment"],
        },
        "step_score": grade.score,
        "actual_breach": grade.actual_breach,
        "policy_assessment": grade.policy_assessment,
        "reward_breakdown": grade.breakdown(),
        "explanation": EXPLANATIONS[grade.policy_assessment],
        "post_observation": {
            **entry.after,
            "step_reward": grade.score,
            "episode_score": entry.episode_score,
            "is_done": entry.done,
        },
    }


def mean_components(entries: Sequence[Entry]) -> dict[str, float]:
    """Return the mean of each rounded component, 4 decimals, added in order; zeros before any decision."""
    totals: dict[str, float] = {name: 0.0 for name in COMPONENTS}
    for entry in entries:
        for name, value in entry.grade.breakdown().items():
            totals[name] += value
    steps = max(1, len(entries))
    return {name: round(total / steps, 4) for name, total in totals.items()}


def first_breach_point(entries: Sequence[Entry]) -> Json | None:
    """Return the first decision that was taken in a breach, or None."""
    for number, entry in enumerate(entries, 1):
        if entry.grade.actual_breach:
            fields = ("step_number", "traffic_pct", "canary_error_rate", "differential_p99_ms", "alert_count")
            return {"decision_number": number, **{field: entry.before[field] for field in fields}}
    return None


def rollback_assessment(task: str, entries: Sequence[Entry], outcome: str, first_breach: Json | None) -> Json:
    """Return whether a rollback was taken, and how it lay to the first breach and to the task's benchmark."""
    benchmark = BENCHMARKS[task]
    taken = bool(entries) and entries[-1].arguments["action_type"] == "rollback"
    against_breach = against_benchmark = "missed" if outcome == "max_steps_reached" else "not_applicable"
    traffic = None
    if taken:
        traffic = entries[-1].before["traffic_pct"]
        against_breach = _against_breach(len(entries), first_breach)
        against_benchmark = _against_benchmark(traffic, benchmark)
    return {
        "rollback_action_taken": taken,
        "relative_to_first_breach": against_breach,
        "relative_to_benchmark_point": against_benchmark,
        "rollback_traffic_pct": traffic,
        "benchmark_rollback_at": benchmark,
    }


def _against_breach(decision_number: int, first_breach: Json | None) -> str:
    if first_breach is None:
        return "before_first_breach"
    return "on_first_breach" if first_breach["decision_number"] == decision_number else "after_first_breach"


def _against_benchmark(traffic: float, benchmark: float | None) -> str:
    """Return early, timely or late, on the traffic as shown (4 decimals)."""
    if benchmark is None:
        return "not_applicable"
    if abs(traffic - benchmark) < 1e-9:
        return "timely"
    return "early" if traffic < benchmark else "late"
