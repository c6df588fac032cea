"""What a habit is."""

from collections.abc import Callable
from dataclasses import dataclass

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.draws import Draws


@dataclass(frozen=True, slots=True)
class Ordinary:
    """Facts that every proposal of some requests has."""

    name: str
    order: int
    """Lower ones come first: a review needs the change that it is about."""
    requests: tuple[str, ...]
    add: Callable[[Draft, Draws], None]
