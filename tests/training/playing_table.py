"""A table over a test's arena."""

from itertools import count

from releaseops_mcp.arena import Arena
from releaseops_mcp.events import Origin
from training.seat import Table


def table_of(arena: Arena, capture: str = "tools") -> Table:
    """Return a table whose clock ticks a second with every look."""
    ticks = count()
    return Table(arena, Origin(door="python", agent="test"), capture, lambda: float(next(ticks)))  # type: ignore[arg-type]
