"""The release could not be taken back, or nobody is there to do it.

Twins: an image that is kept long enough; a rollback that was really done, on the schema of the release; a swap of
shifts that the one who took it over has acknowledged.
"""

from dataclasses import replace

from releaseops_mcp.world.artefacts.rota import Acknowledgement, Rota, Shift
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.drills import drilled
from releaseops_mcp.world.changes.ordinary.rota import PEOPLE, SHIFTS, watchers
from releaseops_mcp.world.changes.slots import NEAREST, clear, slot
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.readiness import Readiness
from releaseops_mcp.world.templates import Template

FAMILY, SHIP = "readiness", "ship_release_candidate"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Take away what a rollback needs, in one of five forms."""
    ship = draft.ship
    assert ship is not None
    plan = ship.rollout = replace(ship.rollout, not_before=_planned(draft, draws.child("hour")))
    if variant == "target-gone":
        gone, kept = plan.not_before - draws.integer(1, 40) * HOUR, plan.not_before + draws.integer(12, 240) * HOUR
        ship.rollout = replace(plan, kept_until=gone if fault else kept)
    elif variant == "talked-through":
        ship.drills = drilled(draft, draws, tabletop_last=fault)
    elif variant == "older-schema":
        step = draws.integer(1, 2)
        older = f"{int(plan.schema) - step:04d}"
        ship.drills = tuple(
            replace(drill, schema=older) if drill.service == draft.service.name else drill for drill in ship.drills
        )
        ship.rollout = replace(plan, schema=plan.schema if fault else older)
    else:
        ship.rota = _rota(draft, variant, fault, plan.not_before, draws)


def _planned(draft: Draft, draws: Draws) -> int:
    """Return an hour that is the rollout's whenever it is approved: whoever is on call then is on call."""
    ship = draft.ship
    assert ship is not None
    if ship.rollout.not_before > draft.minute:
        return ship.rollout.not_before
    return slot(draft, ship.freezes, ship.rollout.minutes, clear, draws) or draft.minute + NEAREST


def _rota(draft: Draft, variant: str, fault: bool, begin: int, draws: Draws) -> Rota:
    """Return a rota with one swap, of which one of the two people concerned has acknowledged."""
    first, second, third = watchers(draft, draws)
    start = draft.minute - draws.integer(30, 80) * HOUR
    week = 7 * DAY
    turns = (begin - start) // week
    people = {turns: first, turns + 1: third, turns - 1: third}
    shifts = [Shift(people[place], start + place * week, start + (place + 1) * week) for place in range(SHIFTS)]
    before, after = draws.integer(1, 6) * HOUR, draws.integer(6, 14) * HOUR
    away = draws.choice((-2, -1, 1, 2)) * DAY
    if variant == "swap-elsewhere":
        swapped, ready = begin + (away if fault else 0), second
    else:
        swapped, ready = begin, first if fault else second
    shifts.append(Shift(second, swapped - before, swapped + after, override=True))
    minutes = [draft.minute - draws.integer(2, 90) * HOUR for _ in range(2)]
    known = draws.sample([ready, third], 2)
    return Rota(f"{draft.service.name} on-call", tuple(shifts), tuple(map(Acknowledgement, known, sorted(minutes))))


def _settings(org: Org, service: Service) -> Readiness:
    return Readiness.model_validate(bearing(org, service, FAMILY, SHIP)[0].params)


def _asks_for_drills(org: Org, service: Service, template: Template) -> bool:
    return _settings(org, service).drill_days > 0


def _asks_for_schema(org: Org, service: Service, template: Template) -> bool:
    return _asks_for_drills(org, service, template) and _settings(org, service).same_schema


def _asks_for_people(org: Org, service: Service, template: Template) -> bool:
    return _settings(org, service).on_call and sum(each.kind == "human" for each in org.people) >= PEOPLE


KIND = Kind(
    name="k32-not-ready",
    group="F",
    title="The release cannot be taken back, or nobody is there",
    family=FAMILY,
    request=SHIP,
    variants=(
        Variant("target-gone", depth=1, differs=("rollout",), pages=1),
        Variant("talked-through", depth=2, differs=("drills",), pages=2, fits=_asks_for_drills),
        Variant("older-schema", depth=3, differs=("rollout",), pages=2, fits=_asks_for_schema),
        Variant("unacknowledged", depth=3, differs=("rota",), pages=2, fits=_asks_for_people),
        Variant("swap-elsewhere", depth=4, differs=("rota",), pages=2, fits=_asks_for_people),
    ),
    plant=plant,
)
