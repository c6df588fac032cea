"""What a rollout is played on."""

from typing import NamedTuple, Protocol

from releaseops_mcp.episodes.base import Json


class Moment(NamedTuple):
    """What one decision came to."""

    observation: Json
    """The 13 fields that a supervisor sees."""
    reward: float
    """What the decision scored."""
    done: bool


class Environment(Protocol):
    """Plays one rollout after the other. Any method may raise ReleaseOpsError."""

    def reset(self, task: str, seed: int) -> Json:
        """Begin a rollout and return its first observation."""
        ...

    def step(self, decision: Json) -> Moment:
        """Make one decision."""
        ...

    def close(self) -> None:
        """Leave the environment."""
        ...


class Target(Protocol):
    """Where environments come from."""

    def enter(self) -> Environment:
        """Return a fresh environment; may raise ReleaseOpsError."""
        ...

    def close(self) -> None:
        """Give back what was started for it."""
        ...
