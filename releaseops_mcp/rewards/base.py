"""What a reward is: a pure fold over an episode's logged steps and its truth.

The arena folds the steps as they happen, an audit folds them from the log; both use the same `Tally`, so the live
figure and a re-scored old log always agree. Raising a weight without raising `version` is caught by the test of stored
scores.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ClassVar

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One judged call, as the log holds it."""

    tool: str
    arguments: Json
    error: str | None
    """The refusal's code, or None."""
    result: Json | None
    """What the tool found. The log holds the first page of a long text, so no reward may read beyond PAGE_CHARS."""
    observation: Json
    """What the agent saw after the call."""
    done: bool
    terminal_reason: str | None


@dataclass(frozen=True, slots=True)
class StepReward:
    """What one step earned."""

    reward: float
    """The figure that the suite's own environment reports with this step."""
    detail: Json = field(default_factory=dict[str, Any])
    """The suite's grading of this step; never shown to an agent while an episode runs."""


@dataclass(frozen=True, slots=True)
class Score:
    """The figure of a whole episode, with what it is made of."""

    reward_id: str
    version: str
    total: float
    components: dict[str, float]
    """By name; what they add up to is the scorer's business."""
    metrics: Json
    """Counters and facts beside the reward."""


class Tally(ABC):
    """A reward in the making: feed it the steps in order."""

    @abstractmethod
    def add(self, step: Step) -> StepReward:
        """Fold one step in and return what it earned."""

    @abstractmethod
    def score(self) -> Score:
        """Return the figure so far."""

    @abstractmethod
    def report(self) -> Json:
        """Return the suite's full account of the episode so far (grading included), as plain JSON data."""


class Scorer(ABC):
    """The reward of one suite."""

    suite: ClassVar[str]
    reward_id: ClassVar[str]
    version: ClassVar[str]
    """Semantic version: raise it with every change of a figure."""
    sources: ClassVar[tuple[ModuleType, ...]] = ()
    """Modules outside the reward module that its figures depend on."""

    @abstractmethod
    def tally(self, truth: Json, first_observation: Json) -> Tally:
        """Return an empty tally for one episode."""
