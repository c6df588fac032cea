"""Where a policy sits in one episode of the arena: makes its calls, hands it texts, and knows the figure at the end.

Environments for TRL and sampled evaluation both play through it, so both read and count alike. The calls after the
end of an episode are answered here and not made: every other harness leaves a finished episode too, and a figure that
went on moving could not be compared with theirs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from releaseops_mcp.agents.base import Action
from releaseops_mcp.agents.runner import turn_of
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.base import Json, Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import EnvironmentFault
from releaseops_mcp.events import CaptureLevel, Origin
from releaseops_mcp.log.rows import ScoreDraft
from training.rendering.base import OVER
from training.rendering.registry import rendering_of


@dataclass(frozen=True, slots=True)
class Table:
    """What the seats of one run have in common."""

    arena: Arena
    origin: Origin
    """Who plays: its agent is the run, its model the policy."""
    capture: CaptureLevel
    timer: Callable[[], float]
    """A monotonic clock in seconds: environment time is reported beside the time of a step."""
    leaving_cost: float = 0.0
    """What an environment takes off, in training alone, where the policy left before the world came to its end."""


@dataclass(slots=True)
class Seat:
    """One episode being played."""

    table: Table
    suite: Suite
    episode_id: str = ""
    scenario: str = ""
    family: str = ""
    observation: Json = field(default_factory=dict[str, Any])
    """The last one that the policy was shown."""
    actions: list[Action] = field(default_factory=list[Action])
    """The calls that were made, in order."""
    invalid: int = 0
    """Refused calls."""
    late: int = 0
    """Calls after the end."""
    done: bool = False
    terminal_reason: str | None = None
    fault: str | None = None
    """What went wrong in the arena: the episode then says nothing of the policy."""
    seconds: float = 0.0
    """Time spent in the arena."""
    score: ScoreDraft | None = None

    @classmethod
    def at(cls, table: Table, scenario: str) -> "Seat":
        """Begin a scenario; raises what `Arena.start` raises."""
        began = table.timer()
        started = table.arena.start(scenario, table.origin, capture=table.capture)
        suite = suites()[started.suite]
        seat = cls(table, suite, started.episode_id, scenario, suite.parse(scenario).family, started.observation)
        seat.seconds = table.timer() - began
        return seat

    def first(self) -> str:
        """Return the text of the observation as it stands."""
        return rendering_of(self.suite.name).first(self.observation)

    def call(self, action: Action) -> str:
        """Make one call and return the text of what it came to; a refused call is text too.

        Raises EnvironmentFault where the arena fails, and StoreUnavailable.
        """
        if self.done:
            self.late += 1
            return f"{OVER}: {self.terminal_reason or 'closed'}"
        began = self.table.timer()
        try:
            answer = self.table.arena.call(self.episode_id, action.tool, action.arguments, self.table.origin)
        except EnvironmentFault as failure:
            self.fault = failure.text
            raise
        turn = turn_of(answer)
        text = rendering_of(self.suite.name).later(self.observation, turn)
        self.actions.append(action)
        self.invalid += turn.error is not None
        self.observation, self.done, self.terminal_reason = turn.observation, turn.done, turn.terminal_reason
        self.seconds += self.table.timer() - began
        return text

    def leave(self) -> float | None:
        """Close the episode where it is still open and return its figure; None where the arena failed in it."""
        if self.score is None:
            began = self.table.timer()
            if not self.done:
                self.table.arena.finish(self.episode_id, self.table.origin)
            self.score = self.table.arena.score(self.episode_id)
            self.seconds += self.table.timer() - began
        return None if self.fault else self.score.total
