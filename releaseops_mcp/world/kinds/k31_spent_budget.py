"""The error budget is spent, and the release holds what must then wait.

Twins: a bad week within a good month; a budget that others have spent; a release from which the features were put off.
"""

from dataclasses import replace

from releaseops_mcp.world.artefacts.incidents import CAUSES
from releaseops_mcp.world.artefacts.rollout import DEFERRED, INCLUDED, Change
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.health import SHORTER, spend
from releaseops_mcp.world.changes.ordinary.rollout import KINDS
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.error_budget import Budget
from releaseops_mcp.world.templates import Template

FAMILY, SHIP = "error_budget", "ship_release_candidate"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Spend the budget over the window that counts, or do what looks like it."""
    ship = draft.ship
    assert ship is not None
    budget = _budget(draft.org, draft.service)
    spend(draft, draws.child("spend"), spent=(budget.window,))
    ship.rollout = replace(ship.rollout, changes=_changes(budget, draws, waiting=variant != "class" or fault))
    if variant == "window":
        _swap_windows(draft, budget, draws.child("swap"), counted=fault)
    _attribute(draft, budget, draws, variant, fault)


def _changes(budget: Budget, draws: Draws, *, waiting: bool) -> tuple[Change, ...]:
    """Return two changes, one that may ship with a spent budget and one that must wait; either one is put off."""
    free, held = draws.choice(budget.exempt_kinds or KINDS), draws.choice(_held(budget))
    rows = draws.sample([(held, INCLUDED if waiting else DEFERRED), (free, DEFERRED if waiting else INCLUDED)], 2)
    numbers = draws.sample(range(101, 999), len(rows))
    return tuple(Change(f"pr_{number}", kind, state) for number, (kind, state) in zip(numbers, rows, strict=True))


def _swap_windows(draft: Draft, budget: Budget, draws: Draws, *, counted: bool) -> None:
    """Give one of two windows a ratio that is over, and the other one that is under: the window that counts, or not."""
    ship = draft.ship
    assert ship is not None
    shorter = draws.choice([window for window in SHORTER if window != budget.window])
    over = next(each.value for each in ship.ratios if each.window == budget.window and not each.incident)
    under = budget.allowed * (0.35 + draws.integer(0, 50) / 100)
    ratios = {budget.window: over if counted else under, shorter: under if counted else over}
    ship.ratios = tuple(
        replace(each, value=ratios[each.window] * (each.value / over if each.incident else 1))
        if each.window in ratios
        else each
        for each in ship.ratios
    )


def _attribute(draft: Draft, budget: Budget, draws: Draws, variant: str, fault: bool) -> None:
    """Name causes: the incident that burnt most has one that counts, or one that does not, or somebody says so."""
    ship = draft.ship
    assert ship is not None
    most = max((each for each in ship.ratios if each.incident), key=lambda each: each.value).incident
    own = draws.choice([cause for cause in CAUSES if cause not in budget.exempt_causes])
    others = draws.choice(budget.exempt_causes) if budget.exempt_causes else own
    people = draws.sample([person.id for person in draft.reviewers()], 2)
    word = draft.worker
    if variant == "cause":
        causes, hands = (own, others) if fault else (others, own), (people[0], people[-1])
    elif variant == "hearsay":
        causes, hands = (others, others), (word, people[0]) if fault else (people[0], word)
    else:
        causes, hands = (own, others), (people[0], people[-1])
    ship.incidents = tuple(
        replace(each, cause=causes[each.id != most], attributed_by=hands[each.id != most]) for each in ship.incidents
    )


def _budget(org: Org, service: Service) -> Budget:
    return Budget.model_validate(bearing(org, service, FAMILY, SHIP)[0].params)


def _held(budget: Budget) -> list[str]:
    return [kind for kind in KINDS if kind not in budget.exempt_kinds]


def _holds_some(org: Org, service: Service, template: Template) -> bool:
    budget = _budget(org, service)
    return bool(_held(budget)) and not {*CAUSES} <= {*budget.exempt_causes}


def _lets_some_go(org: Org, service: Service, template: Template) -> bool:
    return bool(_budget(org, service).exempt_kinds) and _holds_some(org, service, template)


def _excuses(org: Org, service: Service, template: Template) -> bool:
    return _holds_some(org, service, template) and not {*CAUSES}.isdisjoint(_budget(org, service).exempt_causes)


KIND = Kind(
    name="k31-spent-budget",
    group="F",
    title="The error budget is spent",
    family=FAMILY,
    request=SHIP,
    variants=(
        Variant("window", depth=1, differs=("slo",), pages=3, fits=_holds_some),
        Variant("class", depth=3, differs=("rollout",), pages=3, fits=_lets_some_go),
        Variant("cause", depth=3, differs=("incidents",), pages=3, fits=_excuses),
        Variant("hearsay", depth=4, differs=("incidents",), pages=3, fits=_excuses),
    ),
    plant=plant,
)
