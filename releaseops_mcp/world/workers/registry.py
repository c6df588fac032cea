"""The archetypes that the files of this folder declare."""

from functools import cache

from releaseops_mcp.world import workers
from releaseops_mcp.world.registry import declared
from releaseops_mcp.world.workers.base import Archetype


@cache
def archetypes() -> dict[str, Archetype]:
    """Return the archetypes by name."""
    return declared(workers, "ARCHETYPE", Archetype)
