"""How a decision moves the rollout, and how the rollout can end: pure, shared by the episode and the reward.

Traffic is accumulated in plain doubles and compared unrounded, as in the original: ten promotions by 0.10 give
0.9999999999999999, which is shown as 1.0 and is not complete.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

MAX_STEPS = 12
"""Decisions in an episode."""

INCREMENTS: Mapping[str, float] = MappingProxyType(
    {"increase_5": 0.05, "increase_10": 0.10, "increase_25": 0.25, "hold": 0.0}
)
"""Traffic that an action adds; a rollback takes all of it away."""


class Position(NamedTuple):
    """Where a rollout stands."""

    traffic: float
    """Share of traffic in [0, 1] on the canary, unrounded."""
    step: int
    """Decisions taken."""
    holds: int
    """Holds since the last increase."""
    ended: bool


START = Position(0.0, 0, 0, False)


def move(position: Position, action_type: str) -> Position:
    """Return the position after one decision."""
    traffic, step, holds, _ = position
    step += 1
    if action_type == "rollback":
        return Position(0.0, step, 0, True)
    traffic = min(1.0, traffic + INCREMENTS[action_type])
    holds = holds + 1 if action_type == "hold" else 0
    return Position(traffic, step, holds, traffic >= 1.0 or step >= MAX_STEPS)


def outcome(position: Position) -> str:
    """Return success, max_steps_reached, rollback or in_progress.

    A rollback taken as the last possible decision is called max_steps_reached: the original's quirk.
    """
    if position.traffic >= 1.0:
        return "success"
    if not position.ended:
        return "in_progress"
    return "max_steps_reached" if position.step >= MAX_STEPS else "rollback"
