"""The six tasks, in the order in which every list and grid shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ERROR_GUARD = 0.005
P99_GUARD_MS = 200.0
DIFFERENTIAL_P99_GUARD_MS = 50.0


@dataclass(frozen=True, slots=True)
class Task:
    """What may be said about one task; the telemetry is in `tables`, the grading in the reward module."""

    id: str
    name: str
    difficulty: str
    failure_pattern: str
    """What goes wrong in it: for operators and finished episodes, never part of an observation."""
    p99_guard_ms: float | None
    """Roll back above this canary p99 in ms; None where the task judges p99 against the stable fleet."""
    differential_p99_guard_ms: float | None
    """Roll back where the canary's p99 exceeds the stable fleet's by more than this, in ms."""


def _absolute(task_id: str, name: str, difficulty: str, failure_pattern: str) -> Task:
    return Task(task_id, name, difficulty, failure_pattern, P99_GUARD_MS, None)


def _differential(task_id: str, name: str, difficulty: str, failure_pattern: str) -> Task:
    return Task(task_id, name, difficulty, failure_pattern, None, DIFFERENTIAL_P99_GUARD_MS)


_ORDERED = (
    _absolute(
        "easy",
        "Sharp regression",
        "easy",
        "Errors and latency jump together soon after the first promotions, and an alert says so.",
    ),
    _absolute(
        "medium",
        "Slow drift",
        "medium",
        "Errors and latency creep up with traffic; the trend is readable well before a guardrail breaks.",
    ),
    _differential(
        "hard",
        "Fleet-wide noise over a real regression",
        "hard",
        "Both fleets slow down together for one step; a genuine canary regression starts right behind it.",
    ),
    _differential(
        "expert",
        "Alarms without a cause",
        "expert",
        "A burst of alerts fires while every metric is sound; a real regression comes later, with more traffic.",
    ),
    _differential(
        "recovery",
        "Passing disturbance",
        "hard",
        "The canary is disturbed for a step or two and then settles by itself; no guardrail is ever broken.",
    ),
    _differential(
        "silent",
        "Regression without alerts",
        "hard",
        "The gap between canary and stable latency widens step by step, and no alert ever fires.",
    ),
)

TASKS: Mapping[str, Task] = MappingProxyType({task.id: task for task in _ORDERED})
