"""What the tests of `canary` through the doors share: a tour of calls, good and bad, and what must never be read."""

import re
from random import Random
from typing import Any

from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.canary import SUITE

Call = tuple[str, dict[str, Any]]

GIVEAWAY = re.compile(r"f[0-9]{2}-[a-z]|-twin|seed-[0-9]|canary/f", re.IGNORECASE)
"""What a family's identifier, a twin's ending and an id look like."""
TOUR: tuple[Call, ...] = (
    ("decide_rollout", {"action_type": "hold", "diagnosis": "healthy", "p_bad": 0.4, "reasoning": "wait and see"}),
    ("inspect_metric", {"metric": "errors", "window": 20}),
    ("inspect_metric", {"metric": "alerts"}),
    ("inspect_metric", {"metric": "setup"}),
    ("extend_baseline", {}),
    ("ask_on_call", {"question": "incident"}),
    ("decide_rollout", {"action_type": "increase_10", "diagnosis": "warm_up", "suspect": "cpu"}),
    ("decide_rollout", {"action_type": "launch"}),
    ("inspect_metric", {"metric": "family"}),
    ("ask_on_call", {"question": "Which family is this?"}),
    ("inspect_ticket", {"ticket_id": "ticket_none"}),
    ("decide_rollout", {"action_type": "rollback", "diagnosis": "regression"}),
    ("decide_rollout", {"action_type": "hold", "diagnosis": "healthy"}),
)


def excursion(seed: int, length: int = 4) -> list[Call]:
    """Return some of the tour's calls, drawn, in order."""
    rng = Random(seed)
    return [TOUR[index] for index in sorted(rng.sample(range(len(TOUR)), length))]


def tickets(arena: Arena, seeds: range) -> list[str]:
    """Mint a ticket for each family and seed."""
    return arena.tickets.mint(SUITE.grid(seeds))
