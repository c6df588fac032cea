"""Plays the demo's episodes: a few clients side by side, each talking to a server process of its own over stdio."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from releaseops_mcp import __version__
from releaseops_mcp.agents.over_mcp import Visit, own_server, play_over_mcp
from releaseops_mcp.cli.demo.jobs import Job
from releaseops_mcp.evaluation.runs import draw_seed

LANES = 2
"""Clients, and server processes, at a time: all of them write one log."""
CLIENT = "releaseops-demo"


class Sat(NamedTuple):
    """One episode as it was played."""

    job: Job
    visit: Visit


async def play_all(
    database_url: str,
    environment: Mapping[str, str],
    jobs: Sequence[Job],
    names: Mapping[str, str],
    done: Callable[[str], None],
) -> list[Sat]:
    """Play every job and return them in the order of the jobs; `done` is told the supervisor of each as it ends.

    `names` gives the ticket of each scenario whose id is closed to agents.
    """
    from anyio import create_task_group
    from mcp import Client
    from mcp_types import Implementation

    sat: dict[int, Sat] = {}
    info = Implementation(name=CLIENT, version=__version__)

    async def lane(first: int) -> None:
        server = own_server(database_url, environment)
        async with Client(server, client_info=info) as client:
            for number in range(first, len(jobs), LANES):
                job = jobs[number]
                name = names.get(job.scenario, job.scenario)
                visit = await play_over_mcp(client, job.supervisor, name, seed=draw_seed(job.scenario))
                sat[number] = Sat(job, visit)
                done(job.supervisor.name)

    async with create_task_group() as lanes:
        for first in range(LANES):
            lanes.start_soon(lane, first)
    return [sat[number] for number in sorted(sat)]


def first_of(failure: BaseException) -> BaseException:
    """Return the first single failure in a group: one lane's failure ends the others, and comes in groups."""
    while isinstance(failure, BaseExceptionGroup):
        failure = cast("BaseExceptionGroup[BaseException]", failure).exceptions[0]
    return failure
