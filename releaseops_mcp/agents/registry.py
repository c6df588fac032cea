"""Finds the supervisors: the modules of `scripted`, those that other packages name as entry points, and schemes."""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from releaseops_mcp.agents import scripted
from releaseops_mcp.agents.base import Supervisor, registered
from releaseops_mcp.agents.schemes import HUMAN, is_schemed, make_supervisor, schemes
from releaseops_mcp.errors import InvalidArgument


@cache
def supervisors() -> dict[tuple[str, str], Supervisor]:
    """Return every supervisor by (name, suite)."""
    for module in pkgutil.walk_packages(scripted.__path__, f"{scripted.__name__}."):
        importlib.import_module(module.name)
    for entry in entry_points(group="releaseops.agents"):
        entry.load()
    return registered()


def supervisors_for(suite: str) -> tuple[Supervisor, ...]:
    """Return the supervisors of one suite, the degenerate ones last."""
    ours = [entry for entry in supervisors().values() if entry.suite == suite]
    return tuple(sorted(ours, key=lambda entry: entry.degenerate))


def find_supervisor(name: str, suite: str) -> Supervisor:
    """Return one supervisor, made on demand where its name has a scheme; raises InvalidArgument."""
    entry = supervisors().get((name, suite))
    if entry is None and is_schemed(name):
        return make_supervisor(name, suite)
    if entry is None:
        known = ", ".join(other.name for other in supervisors_for(suite))
        schemed = ", ".join(f"{scheme}:..." if scheme != HUMAN else HUMAN for scheme in schemes())
        raise InvalidArgument(f"no agent {name!r} plays {suite}: choose one of {known}, or {schemed}")
    return entry
