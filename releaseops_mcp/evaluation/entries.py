"""One episode of an evaluation: which it is, what was counted live, and what the log tells of it."""

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.facts import Facts

INFRASTRUCTURE = frozenset({"infrastructure", "environment_fault", "store_unavailable", "at_capacity", "conflict"})
"""First words of a fault that is not the agent's: the arena's, the log's, or its model endpoint's."""


class Key(NamedTuple):
    """Which episode of an evaluation it is."""

    suite: str
    agent: str
    scenario: str
    """The operator's id."""
    repeat: int
    """From 0."""


class Entry(BaseModel):
    """One episode, a line of `results.jsonl`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repeat: int
    played: Played
    facts: Facts

    @property
    def key(self) -> Key:
        """Which episode it is."""
        return Key(self.played.suite, self.played.agent, self.played.scenario, self.repeat)


def is_infrastructure(played: Played) -> bool:
    """Return whether an episode has no figure through no fault of the agent."""
    return played.fault is not None and played.fault.partition(":")[0] in INFRASTRUCTURE
