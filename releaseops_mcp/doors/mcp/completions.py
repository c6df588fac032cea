"""Completions: scenarios for the prompts, suites for the policy's template."""

from collections.abc import Iterator, Mapping

from mcp_types import CompleteRequestParams, CompleteResult, Completion, PromptReference

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.tickets import LISTED_SEEDS, PREFIX
from releaseops_mcp.doors.mcp.door import Door
from releaseops_mcp.doors.mcp.prompts import SCENARIO, suite_of_prompt
from releaseops_mcp.doors.mcp.resources import POLICY
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suite_of

MAX_VALUES = 100
"""As many values as the protocol lets one answer hold."""


async def complete(door: Door, params: CompleteRequestParams) -> CompleteResult:
    """Return the values that begin as the argument does; none for an argument that has no fixed values."""
    argument, value = params.argument.name, params.argument.value
    if isinstance(params.ref, PromptReference):
        suite = suite_of_prompt(door.suites.values(), params.ref.name)
        if argument != SCENARIO.name:
            return _values([])
        return _values(await door.read(lambda arena: _scenarios(arena, suite, value)))
    suites = _suites(door.suites, value) if (params.ref.uri, argument) == (POLICY, "suite") else []
    return _values(suites)


def _suites(shown: Mapping[str, Suite], prefix: str) -> list[str]:
    return [name for name in shown if name.startswith(prefix)]


def _scenarios(arena: Arena, suite: Suite, prefix: str) -> list[str]:
    ids = (scenario_id for scenario_id in _ids(suite) if scenario_id.startswith(prefix))
    return [*dict.fromkeys(ids), *_tickets(arena, suite, prefix)]


def _ids(suite: Suite) -> Iterator[str]:
    """Yield the ids that an agent may know of."""
    if suite.open_ids:
        yield from suite.grid(LISTED_SEEDS)
        for split in suite.splits().values():
            yield from split


def _tickets(arena: Arena, suite: Suite, prefix: str) -> list[str]:
    if not (prefix.startswith(PREFIX) or PREFIX.startswith(prefix)):
        return []
    longest = max(prefix, PREFIX, key=len)
    return [ticket for ticket in arena.store.tickets(longest, MAX_VALUES) if _belongs(arena, ticket, suite)]


def _belongs(arena: Arena, ticket: str, suite: Suite) -> bool:
    scenario_id = arena.store.ticketed(ticket)
    return scenario_id is not None and suite_of(scenario_id) is suite


def _values(values: list[str]) -> CompleteResult:
    shown = values[:MAX_VALUES]
    return CompleteResult(completion=Completion(values=shown, total=len(values), has_more=len(values) > len(shown)))
