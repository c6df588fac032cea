"""Which requests roll something out to users: rules about rollouts have nothing to say about any other."""

from releaseops_mcp.world.rules.base import Case

SHIP = "ship_release_candidate"


def rolls_out(case: Case) -> bool:
    """Return whether a proposal asks for a rollout, and so has a plan, a calendar, drills and a rota."""
    return case.request == SHIP
