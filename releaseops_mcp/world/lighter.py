"""What makes the first levels light: only some of an organisation's rule families are in force.

A release of a beginner's level is judged by the named kind's family and some others, drawn anew for each world, so that
a supervisor has few pages to read, and so that what is in the handbook says nothing of what is planted.
"""

from functools import lru_cache

from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.model import Org

MOST_POLICIES = 1_024


def chosen(org: Org, wanted: str, most: int, draws: Draws) -> frozenset[str]:
    """Return the families that stay in force: `wanted` and others, `most` in all; every one where `most` is 0."""
    every = tuple(dict.fromkeys(rule.family for rule in org.rules))
    if not most:
        return frozenset(every)
    others = draws.sample([family for family in every if family != wanted], len(every) - (wanted in every))
    return frozenset([wanted, *others][:most])


@lru_cache(maxsize=MOST_POLICIES)
def lightened(org: Org, families: frozenset[str]) -> Org:
    """Return the organisation with the rules of these families, and with the exceptions that name them."""
    return org.keeping(tuple(rule for rule in org.rules if rule.family in families))
