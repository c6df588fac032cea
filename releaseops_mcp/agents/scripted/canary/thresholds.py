"""Policies that watch one metric against one limit, as a table: what a rollout tool with a single check would do.

A policy holds for the first interval. From then on it compares the canary with the fresh baseline once an interval:
beyond the limit is a breach and waits, enough breaches in a row roll back, anything else promotes at a fixed pace.
`errors`, `tail` and `alerts` stand in every observation; another metric costs a look of a minute each time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from releaseops_mcp.agents.base import Brief, Play, Policy, Turn, supervisor
from releaseops_mcp.agents.scripted.canary.moves import SUITE, hold, increase, inspect, mean_of, roll_back
from releaseops_mcp.canary.metrics import METRICS
from releaseops_mcp.episodes.base import Json

SHOWN = ("errors", "tail", "alerts")
"""What every observation tells."""
WATCHED = (*SHOWN, "latency_p50", "conversion", "segment_errors", "downstream_errors", "memory", "cpu")
RATIOS = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
"""How many times worse than the baseline is a breach; of alerts, how many names fire, rounded up."""
BREACHES = (1, 2, 3)
"""Breaches in a row that roll back."""
PACES = (10, 25)
"""Percentage points a step; by 5 no rollout reaches its end before the deadline."""
FLOORS = {"errors": 0.01, "segment_errors": 0.001, "downstream_errors": 0.001}
"""The least baseline that a ratio is taken of, in the metric's unit."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """One policy of the table."""

    metric: str
    ratio: float
    breaches: int
    pace: int

    @property
    def name(self) -> str:
        """The supervisor's name, such as `threshold-errors-x2-3-by-10`."""
        metric = self.metric.replace("_", "-")
        return f"threshold-{metric}-x{self.ratio:g}-{self.breaches}-by-{self.pace}"

    def policy(self) -> Policy:
        """Return the policy, to be played or registered."""

        def play(brief: Brief) -> Play:
            return _play(self, brief)

        play.__doc__ = (
            f"Rolls back after {self.breaches} intervals with {self.metric} {self.ratio:g} times as bad; "
            f"else adds {self.pace} points a step."
        )
        return play


def table() -> Iterator[Threshold]:
    """Yield every policy of the table."""
    return (Threshold(*cell) for cell in product(WATCHED, RATIOS, BREACHES, PACES))


def _play(threshold: Threshold, brief: Brief) -> Play:
    interval: int = brief.observation["interval_minutes"]
    turn = yield hold()
    breached = 0
    while True:
        if threshold.metric in SHOWN:
            beyond = _shows_breach(threshold, turn.observation)
        else:
            turn = yield inspect(threshold.metric, interval + 1)
            beyond = _view_breaches(threshold, turn)
        breached = breached + 1 if beyond else 0
        if breached >= threshold.breaches:
            yield roll_back()
        turn = yield hold("regression") if beyond else increase(threshold.pace)


def _shows_breach(threshold: Threshold, observation: Json) -> bool:
    if threshold.metric == "errors":
        return _is_worse(threshold, *observation["errors"])
    shown: float | None = observation[threshold.metric]
    return shown is not None and shown >= threshold.ratio


def _view_breaches(threshold: Threshold, turn: Turn) -> bool:
    view = turn.result
    return view is not None and _is_worse(threshold, mean_of(view, "canary"), mean_of(view, "baseline"))


def _is_worse(threshold: Threshold, canary: float | None, baseline: float | None) -> bool:
    """Return whether the canary is so many times worse; a missing value says nothing."""
    if canary is None or baseline is None:
        return False
    usual = max(baseline, FLOORS.get(threshold.metric, 0.0))
    if threshold.metric in METRICS and not METRICS[threshold.metric].higher_is_worse:
        return canary * threshold.ratio <= usual and usual > 0.0
    return canary >= threshold.ratio * usual and canary > 0.0


REGISTERED = (
    *(Threshold(metric, 2.0, 2, 10) for metric in (*SHOWN, "downstream_errors")),
    Threshold("conversion", 1.25, 2, 10),
)
"""Some, for evaluations; gates sweep the whole `table`."""

for _threshold in REGISTERED:
    supervisor(_threshold.name, suite=SUITE, degenerate=True)(_threshold.policy())
