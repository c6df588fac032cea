"""Lets a supervisor play, through whatever applies its calls."""

from collections.abc import Callable

from releaseops_mcp.agents.base import Action, Brief, Policy, Turn
from releaseops_mcp.errors import LogError

MAX_CALLS = 200
"""A supervisor that has not finished by then is stopped: some policies loop for ever on some worlds."""


class SupervisorFailed(Exception):
    """A supervisor's own code raised: the episode stays unscored, and the evaluation goes on."""

    code = "agent_failed"

    @property
    def fault(self) -> str:
        """How `Played.fault` tells it."""
        return f"{self.code}: {self}"


class InfrastructureFailed(SupervisorFailed):
    """What a supervisor stands on failed it (a model's endpoint, a process): nothing that it did, so never its 0."""

    code = "infrastructure"


def drive(policy: Policy, brief: Brief, apply: Callable[[Action], Turn], *, max_calls: int = MAX_CALLS) -> bool:
    """Play until the episode is done or the policy returns; return False where `max_calls` stopped it.

    Raises SupervisorFailed where the policy itself raises. InfrastructureFailed, errors of the log (a policy writes to
    it) and whatever `apply` raises go through as they are.
    """
    turn: Turn | None = None
    play = policy(brief)
    try:
        for _ in range(max_calls):
            try:
                action = next(play) if turn is None else play.send(turn)
            except StopIteration:
                return True
            except (SupervisorFailed, LogError):
                raise
            except Exception as error:
                raise SupervisorFailed(f"{type(error).__name__}: {error}") from error
            turn = apply(action)
            if turn.done:
                return True
        return False
    finally:
        play.close()
