"""A supervisor that does what a careful engineer would: one look a step, long windows, no verdict on one look alone."""

from collections.abc import Generator
from dataclasses import dataclass, field

from releaseops_mcp.agents.base import Action, Brief, Play, Turn, supervisor
from releaseops_mcp.agents.scripted.canary.evidence import difference, grows, mislabelled
from releaseops_mcp.agents.scripted.canary.moves import SUITE, decide, hold, inspect, roll_back
from releaseops_mcp.episodes.base import Json

ROUND = ("errors", "conversion", "downstream_errors", "latency_p99", "segment_errors", "latency_p50", "memory", "cpu")
"""The metrics that are looked at in turn."""
STEPS = ("hold", "increase_5", "increase_10", "increase_10", "increase_10", "increase_10", "increase_25", "increase_25")
"""The pace while nothing is suspicious."""
SUSPICIOUS, CERTAIN = 1.8, 3.2
"""Standard deviations at which a look is repeated, and at which the canary goes."""
SETTLED_MINUTE = 12
"""Until then fresh instances are still warming up, and a look counts half."""
CROWDED = 2.6
"""Processor time of the canary, as a multiple of the baseline's, that no full load would survive."""


@dataclass
class _Notes:
    """What has been seen so far."""

    interval: int
    deadline: int
    minute: int = 0
    looks: int = 0
    steps: int = 0
    blind: bool = False
    """Whether the error series is of the wrong arm."""
    suspect: str | None = None
    doubts: dict[str, int] = field(default_factory=dict[str, int])

    def next_metric(self) -> str:
        """Return what to look at now: the suspect once more, or the next of the round."""
        if self.suspect is not None:
            return self.suspect
        self.looks += 1
        metric = ROUND[(self.looks - 1) % len(ROUND)]
        return "latency_p99" if self.blind and metric == "errors" else metric


@supervisor("cautious", suite=SUITE)
def cautious(brief: Brief) -> Play:
    """Looks at one metric a step over a long window, repeats a suspicious look, and promotes in growing steps."""
    notes = _Notes(brief.observation["interval_minutes"], brief.observation["deadline_minute"])
    notes.minute = (yield hold()).observation["minute"]
    while True:
        weight = yield from _look(notes)
        if notes.suspect is not None and notes.doubts[notes.suspect] >= 2:
            yield roll_back(suspect=notes.suspect)
        turn = yield _step(notes, weight)
        notes.minute = turn.observation["minute"]


def _look(notes: _Notes) -> Generator[Action, Turn, int]:
    """Look at one metric and note what it says; return the canary's weight."""
    metric = notes.next_metric()
    turn = yield inspect(metric, max(notes.minute - 2, notes.interval))
    notes.minute = turn.observation["minute"]
    view = turn.result or {}
    if metric == "errors":
        notes.blind = mislabelled(view)
    doubt = 0 if metric == "errors" and notes.blind else _doubt(notes, view)
    notes.doubts[metric] = notes.doubts.get(metric, 0) + doubt if doubt else 0
    notes.suspect = metric if doubt else None
    weight: int = turn.observation["weight"]
    return weight


def _doubt(notes: _Notes, view: Json) -> int:
    """Return 0, 1 (suspicious) or 2 (certain)."""
    if view["metric"] == "memory":
        return int(grows(view))
    worse = difference(view)
    if view["metric"] == "cpu":
        canary, baseline = (sum(value or 0.0 for value in view[arm]) for arm in ("canary", "baseline"))
        return 2 * int(canary > CROWDED * baseline > 0)
    if notes.minute < SETTLED_MINUTE:
        worse /= 2.0
    return int(worse > SUSPICIOUS) + int(worse > CERTAIN)


def _step(notes: _Notes, weight: int) -> Action:
    """Return the next decision: wait while there is a suspect, but never past the last moment."""
    diagnosis = "bad_telemetry" if notes.blind else "healthy"
    minutes_left = notes.deadline - notes.minute
    steps_left = minutes_left // (notes.interval + 1)
    if steps_left <= -(-(100 - weight) // 25):
        return decide("increase_25", diagnosis)
    if notes.suspect is not None:
        return hold("regression", suspect=notes.suspect)
    action = STEPS[min(notes.steps, len(STEPS) - 1)]
    notes.steps += 1
    return decide(action, diagnosis)
