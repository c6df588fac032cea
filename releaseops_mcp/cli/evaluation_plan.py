"""Reads which agents play which scenarios of which suites from the options of `releaseops eval`."""

from collections.abc import Sequence
from typing import NamedTuple

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.arena import Arena
from releaseops_mcp.cli.choosing import (
    agents_of,
    chosen_suites,
    parse_seeds,
    scenarios_named,
    scenarios_of_seeds,
    scenarios_of_split,
)
from releaseops_mcp.errors import InvalidArgument

USUAL_SEEDS = "0..9"


class Part(NamedTuple):
    """What is played of one suite."""

    suite: str
    supervisors: Sequence[Supervisor]
    scenarios: Sequence[str]
    field: bool
    """Whether every registered supervisor plays, so that all laws can be measured."""


def plan(
    arena: Arena, suites: Sequence[str], agents: Sequence[str], *, seeds: str, split: str, named: Sequence[str]
) -> list[Part]:
    """Return what is to be played, suite by suite; raises InvalidArgument and UnknownScenario."""
    if sum(map(bool, (seeds, split, named))) > 1:
        raise InvalidArgument("name scenarios in one way: --seeds, --split or --scenario")
    chosen = chosen_suites(suites)
    if named:
        wanted = scenarios_named(arena, chosen, named)
    elif split:
        wanted = scenarios_of_split(chosen, split)
    else:
        ranges = parse_seeds(seeds or USUAL_SEEDS)
        wanted = {entry.name: scenarios_of_seeds(entry, ranges) for entry in chosen}
    parts = [
        Part(name, supervisors, scenarios, not agents)
        for name, scenarios in wanted.items()
        if (supervisors := agents_of(name, agents))
    ]
    if not parts:
        raise InvalidArgument(
            f"none of {', '.join(agents)} plays {', '.join(wanted)}: leave --agent out to see who does"
        )
    return parts
