"""The local engine: episodes are played in this process, by its threads."""

from collections.abc import Sequence

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.agents.runners import Runner
from releaseops_mcp.arena import Arena


class Local:
    """Plays on the arena of this process; episodes of one scenario share a ticket."""

    def __init__(self, arena: Arena, runner: Runner, *, jobs: int = 1) -> None:
        self.jobs = jobs
        self._arena = arena
        self._runner = runner
        self._tickets: dict[str, str] = {}

    def begin(self, scenarios: Sequence[str]) -> None:
        """Mint the tickets, all at once; raises UnknownScenario."""
        self._tickets = dict(zip(scenarios, self._arena.tickets.mint(scenarios), strict=True))

    def play(self, supervisor: Supervisor, scenario: str, *, seed: int) -> Played:
        """Play one episode; raises what the runner raises."""
        return self._runner(self._arena, supervisor, self._tickets[scenario], seed=seed)
