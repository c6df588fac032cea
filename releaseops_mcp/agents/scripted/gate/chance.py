"""A supervisor of the gate that decides by lot."""

from random import Random

from releaseops_mcp.agents.base import Brief, Play, supervisor
from releaseops_mcp.agents.scripted.gate.degenerate import ANY_RULE, play
from releaseops_mcp.agents.scripted.gate.moves import SUITE, approve, block, hold


@supervisor("random", suite=SUITE, degenerate=True)
def random(brief: Brief) -> Play:
    """Approves, holds or blocks, each with the same probability."""
    rng = Random(brief.seed)  # noqa: S311 - a policy, not a secret
    return play(
        brief.observation,
        lambda proposal, seen: rng.choice((approve(proposal), hold(proposal), block(proposal, ANY_RULE))),
    )
