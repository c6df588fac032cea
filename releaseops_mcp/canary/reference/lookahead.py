"""Decisions by expected cost, one step ahead: what each choice costs now, and what could be decided after it.

After the step stands the better of two ends, rolling back or going on to full traffic. A look, a question or a wait is
worth what it is expected to save there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.on_call import RIGHT
from releaseops_mcp.canary.reference.belief import Belief, rightly
from releaseops_mcp.canary.reference.forecasts import forecast

Array = NDArray[np.float64]

STEPS = {"increase_25": 0.25, "increase_10": 0.10, "increase_5": 0.05, "hold": 0.0}
FULLEST = 0.25
"""Largest share of traffic that one decision adds."""
THOUGHT = 360
"""Particles that a thought is made with."""
FUTURES = 90
"""Futures that it imagines."""
WATCHED = ("errors", "latency_p99", "conversion", "downstream_errors", "latency_p50", "segment_errors")
"""Metrics that are followed while traffic rises."""
KNOWING = 0.5
"""What an expected fall of the Brier score by 1 is worth: looks that alone change no decision may do so together."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The weights of the reward."""

    false_rollback: float
    bad_promotion: float
    harm: float
    decision: float
    timeout_good: float
    timeout_bad: float


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a rollout stands."""

    minute: int
    weight: float
    interval: int
    deadline: int

    def after(self, minutes: int, weight: float | None = None) -> "Standing":
        """Return where it stands later."""
        return Standing(self.minute + minutes, self.weight if weight is None else weight, self.interval, self.deadline)


class Lookahead:
    """Weighs choices under a belief."""

    def __init__(self, belief: Belief, costs: Costs, rng: np.random.Generator) -> None:
        self._state = belief.state.thin(THOUGHT, rng)
        self._costs = costs
        particles = self._state.particles
        self._futures = np.linspace(0, THOUGHT - 1, FUTURES).astype(np.int64)
        self._luck = rng.standard_normal((THOUGHT, len(WATCHED)))
        self.bad = particles.bad
        self.severity = particles.severity

    def rollback(self) -> Array:
        """Return (thought,) the cost of rolling back."""
        return np.where(self.bad, 0.0, self._costs.false_rollback) + self._costs.decision

    def onward(self, standing: Standing) -> Array:
        """Return (thought,) the cost of raising the traffic to the full as fast as allowed."""
        costs = self._costs
        decisions = max(math.ceil(round((1.0 - standing.weight) / FULLEST, 6)), 1)
        waits = decisions - 1
        late = standing.minute + waits * standing.interval >= standing.deadline
        if late:
            return np.where(self.bad, costs.timeout_bad, costs.timeout_good) + decisions * costs.decision
        harm = np.zeros(THOUGHT)
        for step in range(1, decisions):
            start = standing.minute + (step - 1) * standing.interval
            harm += self.harm(start, start + standing.interval, standing.weight + step * FULLEST)
        return costs.bad_promotion * self.severity + harm + decisions * costs.decision

    def harm(self, start: int, end: int, weight: float) -> Array:
        """Return (thought,) the harm of the minutes start .. end - 1."""
        active = self._state.particles.active(start, end, weight)
        return self._costs.harm * weight * (end - start) * self.severity * active

    def now(self, standing: Standing) -> float:
        """Return the expected cost of the better end, without looking further."""
        return float(min(self.rollback().mean(), self.onward(standing).mean()))

    def look(self, standing: Standing, metric: str, start: int) -> float:
        """Return what a look at the minutes from `start` on is expected to save, less what it costs."""
        later = standing.after(1)
        end = standing.minute + 1 - self._state.lag
        likely = self._likely([metric], np.arange(THOUGHT), start, end, standing.weight)
        believed = likely @ self.bad
        learned = KNOWING * float((believed**2).mean() - believed.mean() ** 2)
        saved = max(self._saved(likely, later), learned)
        return saved - float(self.harm(standing.minute, standing.minute + 1, standing.weight).mean())

    def ask(self, standing: Standing, question: str, minutes: int) -> float:
        """Return what an answer is expected to save, less what it costs."""
        if standing.minute + minutes >= standing.deadline:
            return -1.0
        right = rightly(self._state.particles, question, standing.minute + minutes)
        yes = np.where(right, RIGHT, 1.0 - RIGHT)
        rollback, onward = self.rollback(), self.onward(standing.after(minutes))
        after = sum(min((rollback * share).mean(), (onward * share).mean()) for share in (yes, 1.0 - yes))
        saved = min(rollback.mean(), onward.mean()) - after
        return float(saved - self.harm(standing.minute, standing.minute + minutes, standing.weight).mean())

    def choices(self, standing: Standing) -> dict[str, float]:
        """Return the expected cost of each decision."""
        found = {"rollback": float(self.rollback().mean())}
        for action, step in STEPS.items():
            weight = round(min(1.0, standing.weight + step), 2)
            if weight >= 1.0:
                found[action] = float((self._costs.bad_promotion * self.severity).mean() + self._costs.decision)
            else:
                found[action] = min(self._wait(standing, weight, count) for count in (1, 3))
        return found

    def _wait(self, standing: Standing, weight: float, intervals: int) -> float:
        minutes = intervals * standing.interval
        later = standing.after(minutes, weight)
        costs = self._costs
        if later.minute >= standing.deadline:
            return float(np.where(self.bad, costs.timeout_bad, costs.timeout_good).mean())
        spent = intervals * costs.decision + float(self.harm(standing.minute, later.minute, weight).mean())
        likely = self._likely(WATCHED, self._futures, standing.minute, later.minute, weight)
        return spent + self._ends(likely, later)[1]

    def _likely(self, metrics: Sequence[str], futures: NDArray[np.int64], start: int, end: int, weight: float) -> Array:
        """Return (futures, thought) how probable each particle is in each future, rows adding up to 1."""
        logs = np.zeros((len(futures), THOUGHT))
        for number, metric in enumerate(metrics):
            mean, variance = forecast(self._state, metric, start, max(end, start + 1), weight)
            shown = mean[futures] + np.sqrt(variance[futures]) * self._luck[futures, number]
            logs -= 0.5 * (shown[:, None] - mean) ** 2 / variance + 0.5 * np.log(variance)
        logs -= logs.max(axis=1, keepdims=True)
        likely = np.exp(logs)
        return likely / likely.sum(axis=1, keepdims=True)

    def _ends(self, likely: Array, later: Standing) -> tuple[float, float]:
        """Return the expected cost of the better end if it must be chosen now, and if after the future is seen."""
        rollback, onward = likely @ self.rollback(), likely @ self.onward(later)
        return float(min(rollback.mean(), onward.mean())), float(np.minimum(rollback, onward).mean())

    def _saved(self, likely: Array, later: Standing) -> float:
        blind, seeing = self._ends(likely, later)
        return blind - seeing
