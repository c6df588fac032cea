"""Reads which suites, scenarios and agents a command line means."""

import re
from collections.abc import Iterable, Sequence

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.registry import find_supervisor, supervisors, supervisors_for
from releaseops_mcp.agents.schemes import is_schemed
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument

MOST_SEEDS = 1_000_000
_SEEDS = re.compile(r"(-?\d{1,18})(?:\.\.(-?\d{1,18}))?")


def chosen_suites(names: Sequence[str]) -> list[Suite]:
    """Return the suites of these names, or all; raises InvalidArgument."""
    for name in names:
        if name not in suites():
            raise InvalidArgument(f"no suite {ascii(name)[:60]}: the suites are {', '.join(suites())}")
    return [suite for name, suite in suites().items() if not names or name in names]


def parse_seeds(text: str) -> list[range]:
    """Return the seeds that a text such as `0..9`, `5` or `1,3,7..9` names, both ends included.

    Raises InvalidArgument.
    """
    ranges: list[range] = []
    for part in text.split(","):
        match = _SEEDS.fullmatch(part.strip())
        if match is None:
            raise InvalidArgument(f"seeds {ascii(text)[:60]} make no sense: write 0..9, 5 or 1,3,7")
        first = int(match[1])
        ranges.append(range(first, int(match[2] or first) + 1))
    if not 0 < sum(map(len, ranges)) <= MOST_SEEDS or not all(ranges):
        raise InvalidArgument(f"seeds {ascii(text)[:60]}: a range runs upwards and holds at most {MOST_SEEDS:,} seeds")
    return ranges


def scenarios_of_seeds(suite: Suite, seeds: Iterable[range]) -> list[str]:
    """Return the ids of every family for these seeds, family by family."""
    found = [scenario_id for part in seeds for scenario_id in suite.grid(part)]
    families = {family: place for place, family in enumerate(suite.families)}
    return sorted(found, key=lambda scenario_id: families[suite.parse(scenario_id).family])


def scenarios_of_split(chosen: Sequence[Suite], split: str) -> dict[str, list[str]]:
    """Return the ids of a named list by suite; raises InvalidArgument where no chosen suite has it."""
    found = {suite.name: list(suite.splits()[split]) for suite in chosen if split in suite.splits()}
    if not found:
        known = ", ".join(f"{name} ({suite.name})" for suite in chosen for name in suite.splits())
        raise InvalidArgument(f"no split {ascii(split)[:60]}: the splits are {known}")
    return found


def scenarios_named(arena: Arena, chosen: Sequence[Suite], names: Sequence[str]) -> dict[str, list[str]]:
    """Return the ids behind names (ids or tickets) by suite; raises UnknownScenario and InvalidArgument."""
    found: dict[str, list[str]] = {}
    for name in names:
        scenario, suite = arena.tickets.resolve(name, operator=True)
        if suite not in chosen:
            raise InvalidArgument(f"{name} is of {suite.name}, which --suite leaves out")
        found.setdefault(suite.name, []).append(scenario.id)
    return found


def agents_of(suite: str, names: Sequence[str]) -> list[Supervisor]:
    """Return the supervisors of one suite with these names, or all of them; none where none of the names plays it.

    Raises InvalidArgument for a name that no suite knows.
    """
    if not names:
        return list(supervisors_for(suite))
    known = {name for name, _ in supervisors()}
    for name in names:
        if name not in known and not is_schemed(name):
            find_supervisor(name, suite)
    return [find_supervisor(name, suite) for name in names if (name, suite) in supervisors() or is_schemed(name)]
