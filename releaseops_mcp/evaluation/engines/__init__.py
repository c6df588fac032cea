"""Where the episodes of an evaluation are played: in this process, or spread over a cluster."""

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager

from releaseops_mcp.agents.runners import find_runner
from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.engines.base import Engine
from releaseops_mcp.evaluation.engines.local import Local
from releaseops_mcp.evaluation.engines.on_ray import on_ray
from releaseops_mcp.settings import Settings

__all__ = ["ENGINES", "LOCAL", "Engine", "Local", "open_engine"]

LOCAL = "local"

Opened = AbstractContextManager[Engine]


@contextmanager
def _local(arena: Arena, settings: Settings, via: str, jobs: int | None) -> Generator[Local]:
    yield Local(arena, find_runner(via), jobs=jobs or 1)


ENGINES: Mapping[str, Callable[[Arena, Settings, str, int | None], Opened]] = {LOCAL: _local, "ray": on_ray}
"""What opens each engine, by name, on an arena, its settings, a runner's name and the episodes at a time."""


def open_engine(name: str, arena: Arena, settings: Settings, *, via: str, jobs: int | None = None) -> Opened:
    """Return an engine to be entered; raises InvalidArgument naming those that exist, or a runner that does not.

    `jobs` is by default 1 here, and the number of CPUs of a cluster.
    """
    if name not in ENGINES:
        raise InvalidArgument(f"no engine {ascii(name)[:60]}: choose one of {', '.join(ENGINES)}")
    find_runner(via)
    return ENGINES[name](arena, settings, via, jobs)
