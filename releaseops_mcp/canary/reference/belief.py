"""What the reference holds to be so, after every look and every answer."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.metrics import BASELINE, CANARY
from releaseops_mcp.canary.on_call import QUESTIONS, RIGHT
from releaseops_mcp.canary.reference import evidence, looks
from releaseops_mcp.canary.reference.crowding import Crowding
from releaseops_mcp.canary.reference.looks import Bucket
from releaseops_mcp.canary.reference.memory import MemoryTrend
from releaseops_mcp.canary.reference.particles import FEW, Particles
from releaseops_mcp.canary.reference.state import COUNTS, QUANTILES, State

Array = NDArray[np.float64]
Json = Mapping[str, Any]

WRONG_LABEL = 1e-4
"""Chance that series agree, or differ, against what their labels say."""
QUIET = 0.02
"""Alerts of other services that fire whatever a hypothesis expects."""
MOST_SURPRISED = -30.0
"""The least log likelihood of a number of alerts."""


class Belief:
    """Weighted particles, updated by what the tools show."""

    def __init__(self, setup: Json, rng: np.random.Generator) -> None:
        self._rng = rng
        self.state = State(setup, rng)
        self._errors: list[Bucket] = []
        self._levels = {"memory": MemoryTrend(), "cpu": Crowding()}

    @property
    def particles(self) -> Particles:
        """The particles as they stand."""
        return self.state.particles

    @property
    def p_bad(self) -> float:
        """How probable it is that the change is bad."""
        return float(self.particles.weights @ self.particles.bad)

    def look(self, view: Json, window: int, minute: int, shares: Array) -> None:
        """Learn from a view of a metric's last `window` minutes, shown at `minute`.

        `shares` is (minutes, arms): the traffic that was asked for.
        """
        metric, state = view["metric"], self.state
        state.lag = looks.lag_of(view, window) or state.lag
        self._labels(view)
        for bucket in looks.buckets_of(view, shares, state.lag, minute):
            if bucket.rows:
                self._weigh(self._likely(metric, bucket, float(shares[bucket.start : bucket.end, CANARY].mean())))
        state.seen[metric] = max(state.seen.get(metric, 0), minute - state.lag)
        self._refresh()

    def answer(self, question: str, said: bool, minute: int) -> None:
        """Learn from the person on call."""
        right = rightly(self.particles, question, minute) == said
        self._weigh(np.log(np.where(right, RIGHT, 1.0 - RIGHT)))
        self._refresh()

    def alerts(self, others: int, minute: int) -> None:
        """Learn from how many alerts of other services fire."""
        storm = self.particles.worlds.storm
        expected = storm[min(max(minute - self.state.lag - 1, 0), len(storm) - 1), self.particles.rows] + QUIET
        self._weigh(np.maximum(others * np.log(expected) - expected, MOST_SURPRISED))
        self._refresh()

    def _weigh(self, likely: Array) -> None:
        self.particles.logs += likely

    def _refresh(self) -> None:
        if self.particles.effective < FEW * len(self.particles):
            self.state.take(*self.particles.resampled(self._rng))

    def _labels(self, view: Json) -> None:
        wrong = looks.mislabelled(view)
        if wrong is None:
            return
        self.state.labels_wrong = wrong
        fits = self.particles.worlds.mislabelled[self.particles.rows] == wrong
        self._weigh(np.log(np.where(fits, 1.0, WRONG_LABEL)))

    def _likely(self, metric: str, bucket: Bucket, share: float) -> Array:
        """Return (particles,) log likelihoods of a bucket; `share` is the canary's of the traffic."""
        if self.state.labels_wrong:
            requests = bucket.requests.copy()
            requests[CANARY] = requests[BASELINE]
            bucket = replace(bucket, requests=requests)
        if metric in COUNTS:
            if metric == "errors":
                self._errors.append(bucket)
            return evidence.count(self.state, metric, bucket, share)
        if metric in QUANTILES:
            return evidence.quantile(self.state, metric, bucket, share)
        if metric == "segment_errors":
            overlap = [one for one in self._errors if one.end > bucket.start and one.start < bucket.end]
            return evidence.group(self.state, overlap, bucket, share)
        if metric not in self._levels:
            return np.zeros(len(self.particles))
        level = self._levels[metric]
        before = level.likely(self.particles)
        level.add(bucket, share)
        return level.likely(self.particles) - before


def rightly(particles: Particles, question: str, minute: int) -> NDArray[np.bool_]:
    """Return (particles,) what the person on call would rightly say at a minute."""
    answers = particles.worlds.answers[list(QUESTIONS).index(question)]
    return answers[min(minute, len(answers) - 1), particles.rows]
