"""The arena as an outside agent meets it: one ticket, to be started once, and every answer counted."""

from collections.abc import Callable
from threading import Lock
from typing import Any, cast

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer, Started
from releaseops_mcp.errors import Conflict, UnknownScenario
from releaseops_mcp.events import Origin


class Guest:
    """Stands between a door and an arena; what it does not say itself is the arena's own answer."""

    def __init__(self, arena: Arena, ticket: str, agent: str) -> None:
        self._arena, self._ticket, self._agent = arena, ticket, agent
        self._guard = Lock()
        self.episode_id = ""
        """Empty until the agent has started its episode."""
        self.last: Answer | None = None
        """The last answer on that episode."""
        self.invalid = 0
        """Refused calls on it."""

    def as_arena(self) -> Arena:
        """Return this guest for a door, which asks nothing of an arena that a guest cannot answer."""
        return cast("Arena", self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._arena, name)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.last is not None and self.last.done

    def close(self) -> None:
        """Leave the arena open: it is the evaluation's."""

    def start(self, scenario: Any, origin: Origin, *, operator: bool = False) -> Started:
        """Begin the one episode, under the name that the evaluation gives the agent.

        Raises UnknownScenario for another scenario, and Conflict for a second start.
        """
        if scenario != self._ticket:
            raise UnknownScenario(f"this server holds one scenario for you: start {self._ticket}")
        with self._guard:
            if self.episode_id:
                raise Conflict(f"the scenario is started already: go on with episode {self.episode_id}")
            named = origin.model_copy(update={"agent": self._agent})
            started = self._arena.start(scenario, named, operator=operator)
            self.episode_id = started.episode_id
        return started

    def call(self, episode_id: str, *arguments: Any, **named: Any) -> Answer:
        """Make a call of a suite's tool."""
        return self._noted(self._arena.call, episode_id, *arguments, **named)

    def observe(self, episode_id: str, *arguments: Any, **named: Any) -> Answer:
        """Look."""
        return self._noted(self._arena.observe, episode_id, *arguments, **named)

    def finish(self, episode_id: str, *arguments: Any, **named: Any) -> Answer:
        """Close the record."""
        return self._noted(self._arena.finish, episode_id, *arguments, **named)

    def refuse(self, episode_id: str, *arguments: Any, **named: Any) -> Answer:
        """Log a call that cannot be made."""
        return self._noted(self._arena.refuse, episode_id, *arguments, **named)

    def _noted(self, act: Callable[..., Answer], episode_id: str, *arguments: Any, **named: Any) -> Answer:
        answer = act(episode_id, *arguments, **named)
        if episode_id == self.episode_id:
            with self._guard:
                self.last = answer
                self.invalid += answer.refusal is not None
        return answer
