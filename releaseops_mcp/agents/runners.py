"""Runners: the ways in which a supervisor's calls may reach the arena, by name.

`python` is built in. Another package adds one as an entry point of the group `releaseops.runners`: a callable with the
signature of `play_episode`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.extras import missing

GROUP = "releaseops.runners"
BUILT_IN = "python"


class Runner(Protocol):
    """Plays one episode and closes it."""

    def __call__(self, arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
        """Play a scenario; `seed` is for supervisors that draw."""
        ...


@cache
def runners() -> Mapping[str, Callable[[], Runner]]:
    """Return what loads each runner, by the runner's name."""
    return {BUILT_IN: lambda: play_episode, **{entry.name: entry.load for entry in entry_points(group=GROUP)}}


def find_runner(name: str) -> Runner:
    """Return one runner; raises InvalidArgument naming those that exist, or the package that it misses."""
    if name not in runners():
        raise InvalidArgument(f"no runner {ascii(name)[:60]}: choose one of {', '.join(runners())}")
    try:
        return runners()[name]()
    except ModuleNotFoundError as error:
        raise missing(f"runner {name}", error) from error
