"""A person at this very terminal as a supervisor among others, as an evaluation plays them."""

import sys

from rich.console import Console

from releaseops_mcp.agents.base import Brief, Play, Supervisor
from releaseops_mcp.agents.schemes import HUMAN
from releaseops_mcp.agents.terminal.person import Person


def person_here(suite: str) -> Supervisor:
    """Return whoever sits at this process's terminal as a supervisor of a suite."""
    person = Person(Console(), sys.stdin)

    def play(brief: Brief) -> Play:
        moves = person.play(brief)
        action = next(moves, None)
        while action is not None:
            turn = yield action
            person.see(action, turn)
            try:
                action = moves.send(turn)
            except StopIteration:
                return

    return Supervisor(HUMAN, suite, play, False, "A person at this terminal.")
