"""What an engine is: where the episodes of an evaluation are played.

An engine plays one episode at a call and is called from as many threads as it has `jobs`; what is kept, counted and
printed, and in which order, is `runs.run`'s affair, and so the same for every engine.
"""

from collections.abc import Sequence
from typing import Protocol

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played


class Engine(Protocol):
    """Plays episodes, several at a time."""

    @property
    def jobs(self) -> int:
        """How many episodes are played at a time."""
        ...

    def begin(self, scenarios: Sequence[str]) -> None:
        """Get ready for these scenarios; called once before they are played."""
        ...

    def play(self, supervisor: Supervisor, scenario: str, *, seed: int) -> Played:
        """Play one episode, under a ticket, and close it; called from several threads."""
        ...
