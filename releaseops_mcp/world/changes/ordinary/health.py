"""The service's error ratios over several windows, and the incidents behind them: within the budget where it counts."""

from releaseops_mcp.world.artefacts.incidents import CAUSES, Incident
from releaseops_mcp.world.artefacts.slo import Ratio
from releaseops_mcp.world.changes.asked import asked
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.rules.error_budget import Budget

FAMILY = "error_budget"
SHORTER = ("1h", "1d")
"""Windows that the dashboard shows too: what they say decides nothing."""
SHARES = (0.85, 0.05)
"""Which part of the failed requests each incident of the window caused."""
COUNT = len(SHARES)


def add(draft: Draft, draws: Draws) -> None:
    """Write ratios and incidents into the ship request."""
    spend(draft, draws, spent=())


def spend(draft: Draft, draws: Draws, *, spent: tuple[str, ...]) -> None:
    """Write ratios in which the budget is spent over these windows, and kept over all others that count.

    A shorter window may say either: its ratio is drawn around what the budget allows.
    """
    assert draft.ship is not None
    budgets = asked(draft, FAMILY, Budget)
    names = tuple(f"inc_{number}" for number in draws.sample(range(100, 999), COUNT))
    least, most = (which(each.allowed for each in budgets) for which in (min, max))
    counted = {each.window for each in budgets}
    ratios: list[Ratio] = []
    for window in dict.fromkeys((*SHORTER, *sorted(counted))):
        over, under = most * (1.2 + draws.integer(0, 100) / 100), least * (0.35 + draws.integer(0, 50) / 100)
        either = over if draws.chance(0.5) else under
        value = over if window in spent else under if window in counted else either
        ratios.append(Ratio(draft.service.name, window, value))
        if window in counted:
            parts = (value * share for share in SHARES)
            ratios += [Ratio(draft.service.name, window, part, name) for name, part in zip(names, parts, strict=True)]
    draft.ship.ratios = tuple(ratios)
    draft.ship.incidents = happened(draft, names, draws)


def happened(draft: Draft, names: tuple[str, ...], draws: Draws) -> tuple[Incident, ...]:
    """Return an incident for each name, with a cause that somebody, perhaps the worker itself, has named."""
    people = [*(person.id for person in draft.reviewers()), draft.worker]
    minutes = [draft.minute - draws.integer(1, 5) * DAY, draft.minute - draws.integer(8, 12) * DAY]
    return tuple(
        Incident(name, draft.service.name, minute, draws.integer(20, 300), draws.choice(CAUSES), draws.choice(people))
        for name, minute in zip(names, draws.sample(minutes, len(names)), strict=True)
    )


ORDINARY = Ordinary(name="health", order=40, requests=("ship_release_candidate",), add=add)
