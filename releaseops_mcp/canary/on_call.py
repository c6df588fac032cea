"""What the person on call knows: the circumstances of a rollout, never whether the change is good."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from releaseops_mcp.canary.world import World

RIGHT = 0.9
"""Share of questions that are answered rightly."""
LONG_WARM_UP = 1.5
"""Amplitude from which a restart is known to hurt."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that can be asked, and what the truth is at a minute."""

    name: str
    asks: str
    truth: Callable[[World, int], bool]


def _incident(world: World, minute: int) -> bool:
    return any(one.start <= minute and (minute < one.start + one.minutes or not one.settles) for one in world.incidents)


def _storm(world: World, minute: int) -> bool:
    return world.faults.storm is not None and world.faults.storm[0] <= minute


def _telemetry(world: World, minute: int) -> bool:
    return not world.faults.mislabelled


def _capacity(world: World, minute: int) -> bool:
    return world.regression.headroom >= 1.0 + world.load.daily


def _cold_start(world: World, minute: int) -> bool:
    return world.noise.warm_up >= LONG_WARM_UP or world.regression.shape == "transient"


def _memory(world: World, minute: int) -> bool:
    return world.regression.memory == 0.0 or world.regression.memory_settles


_ALL = (
    Question("incident", "is an incident outside this change under way", _incident),
    Question("alerts", "is somebody else's alert storm going on", _storm),
    Question("telemetry", "are the labels of the canary's queries right", _telemetry),
    Question("capacity", "did the load test show that the canary's instances can take all traffic", _capacity),
    Question("cold_start", "does this change take long to warm up after a restart", _cold_start),
    Question("memory", "is the memory of the canary's instances known to level off", _memory),
)

QUESTIONS: Mapping[str, Question] = MappingProxyType({question.name: question for question in _ALL})


class OnCall:
    """Answers questions; errs in the same ones however often it is asked."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self._world = world
        self._errs = dict(zip(QUESTIONS, (rng.random(len(QUESTIONS)) >= RIGHT).tolist(), strict=True))

    def answer(self, question: str, minute: int) -> bool:
        """Return the answer to a question of QUESTIONS at a minute."""
        return QUESTIONS[question].truth(self._world, minute) != self._errs[question]
