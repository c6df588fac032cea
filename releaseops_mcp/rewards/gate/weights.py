"""Every figure of the gate's reward, as data."""

from collections.abc import Mapping
from types import MappingProxyType

REWARD_ID = "gate"
VERSION = "1.0.0"

APPROVE, HOLD, BLOCK, UNDECIDED = "approve", "hold", "block", "undecided"
DECISIONS: Mapping[tuple[str, str], float] = MappingProxyType(
    {
        (APPROVE, APPROVE): 0.0,
        (APPROVE, HOLD): -0.25,
        (APPROVE, BLOCK): -0.5,
        (HOLD, APPROVE): -0.15,
        (HOLD, HOLD): 0.0,
        (HOLD, BLOCK): -0.20,
        (BLOCK, APPROVE): -0.35,
        (BLOCK, HOLD): -0.15,
        (BLOCK, BLOCK): 0.0,
        (UNDECIDED, APPROVE): -0.20,
        (UNDECIDED, HOLD): -0.10,
        (UNDECIDED, BLOCK): -0.20,
    }
)
"""(decision, true verdict): what it earns; a block with the right rule, where the verdict is block."""
WRONG_RULE: Mapping[str, float] = MappingProxyType({APPROVE: -0.40, HOLD: -0.20, BLOCK: -0.10})
"""A block that names no rule that is violated, by the true verdict."""
DECISIONS_WEIGH = 3.0
"""The decisions' sum is multiplied by this and divided by the number of versions shown."""
EVIDENCE = 0.05
"""For a right hold or block whose decisive page was read before."""
EVIDENCE_AT_MOST = 0.10
SAFE_SHIP = 1.0
SCOPE = 0.3
"""Share of a safe ship's worth that the approvable scope carries."""
UNSAFE_SHIP = -1.0
UNSAFE_SEVERITY = -0.25
"""Times the highest severity that was shipped."""
MISSED = -0.6
RIGHT_REFUSAL = 0.8
NEEDLESS_REFUSAL = -0.4
ABANDONED = -0.8
TIME = -0.20
"""For all the hours that there were at the start."""
UNIT = -0.003
INVALID = -0.05
CRASHED = "tool_crashed"
"""The refusal of a tool that failed by its own fault."""
FREE = frozenset({"unknown_tool", "episode_over", CRASHED})
"""Refusals without a price."""
