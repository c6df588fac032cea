"""Lets a supervisor play, through whatever applies its calls."""

from collections.abc import Callable

from releaseops_mcp.agents.base import Action, Brief, Policy, Turn

MAX_CALLS = 200
"""A supervisor that has not finished by then is stopped: some policies loop for ever on some worlds."""


def drive(policy: Policy, brief: Brief, apply: Callable[[Action], Turn], *, max_calls: int = MAX_CALLS) -> bool:
    """Play until the episode is done or the policy returns; return False where `max_calls` stopped it."""
    play = policy(brief)
    turn: Turn | None = None
    for _ in range(max_calls):
        try:
            action = next(play) if turn is None else play.send(turn)
        except StopIteration:
            return True
        turn = apply(action)
        if turn.done:
            play.close()
            return True
    play.close()
    return False
