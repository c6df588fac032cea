"""Schemes: families of supervisors that are named `SCHEME:REST` and made on demand, such as `openai:NAME`.

`human` is built in. Another package adds one as an entry point of the group `releaseops.schemes`: a callable from the
rest of the name and a suite's name to a supervisor of that suite. It is loaded only when a name asks for it, so that
nobody pays for a framework that is not used.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.extras import missing

GROUP = "releaseops.schemes"
HUMAN = "human"

Factory = Callable[[str, str], Supervisor]
"""From what follows the colon, and a suite's name. Raises InvalidArgument for a rest that makes no sense."""


def _human(rest: str, suite: str) -> Supervisor:
    from releaseops_mcp.agents.terminal.seat import person_here  # rich and a terminal, only where a person plays

    if rest:
        raise InvalidArgument(f"{HUMAN} takes nothing behind a colon: write --agent {HUMAN}")
    return person_here(suite)


@cache
def schemes() -> Mapping[str, Callable[[], Factory]]:
    """Return what loads each scheme's factory, by the scheme's name."""
    return {HUMAN: lambda: _human, **{entry.name: entry.load for entry in entry_points(group=GROUP)}}


def is_schemed(name: str) -> bool:
    """Return whether a scheme stands for this name of a supervisor."""
    return name.partition(":")[0] in schemes()


def make_supervisor(name: str, suite: str) -> Supervisor:
    """Return the supervisor that a schemed name stands for.

    Raises InvalidArgument where the rest of the name makes no sense, or where the scheme's packages are missing.
    """
    scheme, _, rest = name.partition(":")
    try:
        return schemes()[scheme]()(rest, suite)
    except ModuleNotFoundError as error:
        raise missing(f"agent {scheme}:", error) from error
