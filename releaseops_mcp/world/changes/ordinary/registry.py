"""The habits that the files of this folder declare."""

from functools import cache

from releaseops_mcp.world.changes import ordinary
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.registry import declared


@cache
def habits(request: str) -> tuple[Ordinary, ...]:
    """Return the habits of a request, in the order in which they write."""
    every = sorted(declared(ordinary, "ORDINARY", Ordinary).values(), key=lambda each: (each.order, each.name))
    return tuple(each for each in every if request in each.requests)
