"""Tickets: opaque names under which agents see the scenarios of suites whose ids would give the answer away."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from releaseops_mcp import canonical
from releaseops_mcp.arena.answers import ListedScenario, ScenarioList
from releaseops_mcp.episodes.base import Scenario, Suite
from releaseops_mcp.episodes.registry import suite_of, suites
from releaseops_mcp.errors import InvalidArgument, UnknownScenario
from releaseops_mcp.log.store import Store

PREFIX = "scn_"
PAGE = 20
"""Scenarios a page."""
LISTED_SEEDS = range(10)
"""The seeds that are listed where no split is named."""


class Tickets:
    """Mints tickets, resolves what callers name, and lists what can be played."""

    def __init__(self, store: Store, token: Callable[[int], str], now_ms: Callable[[], int]) -> None:
        self._store = store
        self._token = token
        self._now_ms = now_ms

    def mint(self, scenario_ids: Iterable[str]) -> list[str]:
        """Return a fresh ticket for each scenario id, in order; raises UnknownScenario."""
        known = [suite_of(scenario_id).parse(scenario_id).id for scenario_id in scenario_ids]
        pairs = [(f"{PREFIX}{self._token(8)}", scenario_id) for scenario_id in known]
        if pairs:
            self._store.add_tickets(pairs, self._now_ms())
        return [ticket for ticket, _ in pairs]

    def resolve(self, named: Any, *, operator: bool) -> tuple[Scenario, Suite]:
        """Return the scenario behind an id or a ticket, and its suite; raises UnknownScenario.

        Only an operator may name the ids of a closed suite; to an agent such an id is as unknown as any other word.
        """
        if not isinstance(named, str) or not named.isprintable() or len(named) > 300:
            raise UnknownScenario("a scenario is named by a string: list_scenarios shows what can be played")
        if named.startswith(PREFIX):
            scenario_id = self._store.ticketed(named)
            if scenario_id is None:
                raise UnknownScenario(f"no ticket {ascii(named)[:60]}: list_scenarios shows what can be played")
            owner = suite_of(scenario_id)
            return owner.parse(scenario_id), owner
        suite = suite_of(named)
        if not (operator or suite.open_ids):
            raise UnknownScenario(f"{suite.name} is played by tickets alone: list_scenarios shows some")
        return suite.parse(named), suite

    def listing(
        self, suite: Any = "", split: Any = "", offset: Any = 0, *, shown: Collection[str] = ()
    ) -> ScenarioList:
        """Return one page of what an agent may start, of the `shown` suites where any are named.

        Raises InvalidArgument.
        """
        chosen = self._chosen(suite, split, shown)
        if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
            raise InvalidArgument("offset must be a whole number from 0")
        page = chosen[offset : offset + PAGE]
        more = offset + PAGE < len(chosen)
        return ScenarioList(
            scenarios=self._listed(page),
            total=len(chosen),
            truncated=more,
            next_offset=offset + PAGE if more else None,
        )

    def _chosen(self, suite: Any, split: Any, shown: Collection[str]) -> list[tuple[Suite, str]]:
        known_suites = {name: owner for name, owner in suites().items() if not shown or name in shown}
        if suite and (not isinstance(suite, str) or suite not in known_suites):
            raise InvalidArgument(f"no suite {ascii(suite)[:60]}: the suites are {', '.join(known_suites)}")
        owners = [known_suites[suite]] if suite else list(known_suites.values())
        if split and (not isinstance(split, str) or not any(split in owner.splits() for owner in owners)):
            known = ", ".join(f"{name} ({owner.name})" for owner in owners for name in owner.splits())
            raise InvalidArgument(f"no split {ascii(split)[:60]}: the splits are {known}")
        return [
            (owner, scenario_id)
            for owner in owners
            for scenario_id in _mixed(owner, owner.splits().get(split, ()) if split else owner.grid(LISTED_SEEDS))
        ]

    def _listed(self, page: Sequence[tuple[Suite, str]]) -> list[ListedScenario]:
        closed = [scenario_id for owner, scenario_id in page if not owner.open_ids]
        tickets = dict(zip(closed, self.mint(closed), strict=True))
        return [
            ListedScenario(scenario=tickets.get(name, name), suite=owner.name, level=owner.parse(name).level)
            for owner, name in page
        ]


def _mixed(suite: Suite, scenario_ids: Iterable[str]) -> Iterable[str]:
    """Return the ids as they come; those of a closed suite by their hashes, since a place in a row would tell twins."""
    return scenario_ids if suite.open_ids else sorted(scenario_ids, key=canonical.sha256)
