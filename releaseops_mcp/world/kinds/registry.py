"""The kinds that the files of this folder declare, and which of them can be planted where."""

from functools import cache, lru_cache

from releaseops_mcp.world import kinds as folder
from releaseops_mcp.world.kinds.base import Kind
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.registry import declared
from releaseops_mcp.world.templates import load_template

DEEPEST = 4
MOST_ORGS = 256
"""Organisations of which it is remembered what can be planted: every scenario id that is read asks for it."""


@cache
def kinds() -> dict[str, Kind]:
    """Return the kinds by name."""
    return declared(folder, "KIND", Kind)


@lru_cache(maxsize=MOST_ORGS)
def plantable(org: Org) -> tuple[Kind, ...]:
    """Return the kinds whose rule the organisation has, and of which some variant fits one of its services."""
    return tuple(
        kind
        for kind in kinds().values()
        if any(kind.variants_for(org, service, load_template(service.template), DEEPEST) for service in org.services)
    )
