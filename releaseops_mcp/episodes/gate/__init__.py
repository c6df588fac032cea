"""The suite `gate`: release supervision in a realistic organisation.

    tools      the tools, as declared once for every door
    episode    one play: judges every call and lets the release move
    release    the release while it is played: phases, clock, units, where every proposal stands
    reading    pages and what they cost; asking: workers and people, who name artefacts and never a verdict
    splits     which seeds are for what
    suite, prose, refusals   the suite itself

The hidden truth lives in `releaseops_mcp.world`, the reward in `releaseops_mcp.rewards.gate`.
"""

from releaseops_mcp.episodes.gate.suite import SUITE

__all__ = ["SUITE"]
