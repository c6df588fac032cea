"""Which seeds are for what: the one place that says so. From which ranges they are drawn is in `canary.ranges`."""

from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.ranges import FIRST_HELD_OUT, FIRST_STRESS

TRAIN = range(0, 100_000)
"""Seeds for training."""
DEV = range(100_000, 100_050)
"""Seeds of a family for development and for the gates."""
HELD_OUT = range(FIRST_HELD_OUT, FIRST_HELD_OUT + 100)
"""Listed seeds of a family that are drawn from the held-out ranges."""
STRESS = range(FIRST_STRESS, FIRST_STRESS + 50)
"""Listed seeds of a family that are drawn from outside the ranges of training."""
HELD_OUT_FAMILIES = ("f10-relapse", "f18-chain")
"""Families, twins included, that no training may see at any seed."""


def reserved(family_name: str, seed: int) -> str | None:
    """Return the name of the part that is kept from training and that a world belongs to, None where it may be seen."""
    if seed >= FIRST_STRESS:
        return "stress"
    if seed >= FIRST_HELD_OUT:
        return "held-out"
    return "held-out families" if family_name.removesuffix(TWIN) in HELD_OUT_FAMILIES else None
