"""From a scenario's name to its world: the same name always gives the same world, in any process, on any day.

Twins draw the same numbers, since every stream hangs on what they share; only the first item's `fault` differs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from releaseops_mcp.world.artefacts.patch import file_diff
from releaseops_mcp.world.clock import DAY, HOUR, STARTS
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.levels import CROOKED, EXTRA_FAULT, LATER_UNITS, LEVELS, SHIP_FAULT, SHIP_PHASES, Level
from releaseops_mcp.world.lighter import chosen, lightened
from releaseops_mcp.world.lineages import Plan, make
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.precedents.unpublished import in_force, unpublished
from releaseops_mcp.world.reserved import is_reserved_kind
from releaseops_mcp.world.scenario import CLEAN, ScenarioName
from releaseops_mcp.world.templates import Edit, Template, load_template
from releaseops_mcp.world.traps import draw
from releaseops_mcp.world.workers.registry import archetypes
from releaseops_mcp.world.world import SHIP, Worker, World

CONCENTRATION = 8.0
"""Of the beta distribution around an archetype's record."""
LEANING = 2.0
"""How strongly what is planted leans to workers who are often wrong."""
UNIT_HOURS = 0.45
"""Hours that the deadline allows for each unit."""
CHANGE = "merge_change"
ANOTHER_PHASE = 0.6
"""How often the deadline leaves one phase more than the ship request needs."""


MOST_FITTINGS = 4_096
"""Services, each with a depth, of which it is remembered what can be planted."""
Fitting = Mapping[str, tuple[Variant, ...]]
"""By the name of a kind: its variants that fit a service."""


@dataclass(frozen=True, slots=True)
class Item:
    """A planted item or a decoy."""

    kind: Kind
    variant: Variant
    fault: bool
    decoy: bool


def generate(name: ScenarioName) -> World:
    """Return the world of a scenario."""
    level = LEVELS[name.level]
    draws = Draws("gate", name.pair)
    setting = draws.child("setting")
    full = load_org(name.org)
    start = _start(full, name, setting)
    org = in_force(full, start)
    family = kinds()[name.kind].family if name.kind != CLEAN else ""
    families = chosen(org, family, level.families, draws.child("families"))
    items = _items(name, org, families, level, draws.child("items"))
    service = items[0][1] if items else draws.choice(org.services)
    template = load_template(service.template)
    planted = [item for item, _ in items]
    workers = _workers(org, level, draws.child("workers"))
    ship_phase = setting.weighted(SHIP_PHASES)
    units = sum(item.variant.pages for item in planted) + level.slack
    pages = units + (ship_phase - 1) * (LATER_UNITS + name.level // 2)
    phases = ship_phase - 1 + (1 if setting.chance(ANOTHER_PHASE) else 0)
    hours = round(phases * org.phase_hours + UNIT_HOURS * pages + 1.5, 1)
    org = unpublished(full, lightened(org, families), level, service, start, family, draws)
    plans = _plans(org, service, template, planted, level, workers, start, ship_phase, draws.child("plans"))
    plans = _torn(plans, level, draws.child("torn"))
    lineages = tuple(make(plan, draws.child("lineage", index)) for index, plan in enumerate(plans))
    return World(
        name=name,
        org=org,
        service=service,
        start=start,
        hours=hours,
        units=units,
        later_units=LATER_UNITS + name.level // 2,
        ship_phase=ship_phase,
        lineages=lineages,
        traps=draw([ref for each in lineages for ref in each.versions[0].refs], level.traps, draws.child("traps")),
    )


def _torn(plans: list[Plan], level: Level, draws: Draws) -> list[Plan]:
    """Return the plans with one, now and then, whose evidence contradicts itself: of what is there for company only."""
    able = [place for place, plan in enumerate(plans) if plan.request == CHANGE and plan.decoy]
    torn = draws.choice(able) if able and draws.chance(level.traps) else None
    return [replace(plan, torn=True) if place == torn else plan for place, plan in enumerate(plans)]


def _start(org: Org, name: ScenarioName, setting: Draws) -> int:
    """Return the minute in which the release process begins: of a day on which the rule of the named kind is in force.

    Where it is not on the drawn day, a later one at the same hour; else another hour.
    """
    days = len({start // DAY for start in STARTS})
    day, hour = setting.integer(0, days - 1), setting.integer(STARTS[0] // HOUR, STARTS[-1] % DAY // HOUR)
    starts = [(day + later) % days * DAY + hour * HOUR for later in range(days)]
    starts += [each for each in STARTS if each not in starts]
    bearing = (each for each in starts if name.kind == CLEAN or kinds()[name.kind] in plantable(in_force(org, each)))
    return next(bearing, starts[0])


def _items(
    name: ScenarioName, org: Org, families: frozenset[str], level: Level, draws: Draws
) -> list[tuple[Item, Service]]:
    """Return what is planted, the named kind first, then decoys; all of them in one service."""
    able = [kind for kind in plantable(org) if kind.is_universal or kind.family in families]
    first = None if name.kind == CLEAN else kinds()[name.kind]
    if first is None and not able:
        return []
    service, variants = _place(first or draws.choice(able), org, level, draws)
    fitting = _fitting(org, service.name, level.depth)
    rest = [
        kind
        for kind in able
        if fitting[kind.name] and (kind is first or not is_reserved_kind(kind.name, org.id, name.level))
    ]
    found: list[Item] = []
    if first:
        found.append(Item(first, draws.choice(variants), not name.twin, decoy=False))
    for count in range(len(found), level.proposals - 1):
        found.append(_item(draws.choice(rest), fitting, level, count, draws, fault=first is not None))
    ships = [kind for kind in rest if kind.request == SHIP]
    if ships:
        kind = draws.choice(ships)
        faulty = draws.chance(SHIP_FAULT) and first is not None
        found.append(Item(kind, draws.choice(fitting[kind.name]), faulty, decoy=not faulty))
    return [(item, service) for item in _settled(found, rest, fitting, level, draws)]


@lru_cache(maxsize=MOST_FITTINGS)
def _fitting(org: Org, service_name: str, depth: int) -> Fitting:
    """Return the variants of every kind that can be planted in a service, none where none can."""
    service = org.service(service_name)
    template = load_template(service.template)
    return {kind.name: kind.variants_for(org, service, template, depth) for kind in plantable(org)}


def _item(kind: Kind, fitting: Fitting, level: Level, count: int, draws: Draws, *, fault: bool) -> Item:
    """Return one more item: the first `level.planted` are planted, now and then faulty; the others are decoys.

    A decoy is a twin: harmless, and by its looks as likely to be faulty as any.
    """
    planted = count < level.planted
    faulty = draws.chance(EXTRA_FAULT) and fault and planted
    return Item(kind, draws.choice(fitting[kind.name]), faulty, decoy=not planted)


def _settled(items: list[Item], rest: list[Kind], fitting: Fitting, level: Level, draws: Draws) -> list[Item]:
    """Return the items with at most one in the ship request, the first, and others in place of what was too much."""
    plain = [kind for kind in rest if kind.request != SHIP]
    ship = next((item for item in items if item.kind.request == SHIP), None)
    others = [item for item in items if item.kind.request != SHIP]
    while plain and len(others) < level.proposals - 1:
        others.append(_item(draws.choice(plain), fitting, level, level.planted, draws, fault=False))
    first = items[0] if items else None
    kept = others[: level.proposals - 1]
    return [ship, *kept] if ship is not None and ship is first else [*kept, *([ship] if ship else [])]


def _place(kind: Kind, org: Org, level: Level, draws: Draws) -> tuple[Service, tuple[Variant, ...]]:
    options = [
        (service, variants)
        for service in org.services
        if (variants := _fitting(org, service.name, level.depth).get(kind.name))
    ]
    return draws.choice(options)


def _workers(org: Org, level: Level, draws: Draws) -> list[Worker]:
    """Return a worker for every seat; crooked archetypes take at most the level's share of the draws."""
    straight = {name: weight for name, weight in org.archetypes.items() if name not in CROOKED}
    crooked = {name: weight for name, weight in org.archetypes.items() if name in CROOKED}
    workers: list[Worker] = []
    for seat in org.workers:
        mix = crooked if crooked and draws.chance(level.crooked) else straight
        drawn = draws.weighted(mix)
        archetype = archetypes()[seat.archetype or drawn]
        rate = draws.beta(archetype.record, CONCENTRATION)
        cases = draws.integer(5, 20)
        right = sum(draws.chance(rate) for _ in range(cases))
        workers.append(Worker(seat.id, seat.role, archetype, rate, right, cases - right))
    return workers


def _plans(
    org: Org,
    service: Service,
    template: Template,
    items: list[Item],
    level: Level,
    workers: list[Worker],
    start: int,
    ship_phase: int,
    draws: Draws,
) -> list[Plan]:
    """Return a plan for each proposal: the planted items, the decoys, plain changes, and the ship request last."""
    base = draws.integer(100, 800)
    others = [item for item in items if item.kind.request != SHIP]
    ship = next((item for item in items if item.kind.request == SHIP), None)
    slots: list[Item | None] = [*others, *[None] * max(0, level.proposals - 1 - len(others))]
    slots = draws.sample(slots, len(slots))
    short = _short_edits(template.name, level.edit_characters)
    edits = draws.sample(short, len(short))
    shipper, workers = _shipper(org, ship, workers, draws.child("shipper"))
    seats = _seated(slots, workers, draws)
    phases = [1, *(draws.integer(1, ship_phase) for _ in slots[1:])]
    ids = draws.sample(range(101, 999), len(slots) + 1)
    plans: list[Plan] = []
    for index, item in enumerate([*slots, ship]):
        last = index == len(slots)
        plans.append(
            Plan(
                id=f"p{ids[index]}",
                request=SHIP if last else item.kind.request if item else "merge_change",
                org=org,
                service=service,
                template=template,
                edit=edits[index % len(edits)],
                worker=shipper if last else seats[index],
                number=base + 100 * index,
                minute=start,
                appears=ship_phase if last else phases[index],
                phase_minutes=org.phase_hours * HOUR,
                kind=item.kind if item else None,
                variant=item.variant.name if item else "",
                decoy=_is_decoy(item),
                fault=bool(item and item.fault),
            )
        )
    return plans


@cache
def _short_edits(template_name: str, characters: int) -> tuple[Edit, ...]:
    """Return the edits whose diffs have at most so many characters."""
    template = load_template(template_name)
    base = template.base
    found: list[Edit] = []
    for edit in template.edits:
        head = template.edited(edit)
        changed = [path for path in sorted({*base, *head}) if base.get(path) != head.get(path)]
        if sum(len(file_diff(path, base.get(path), head.get(path))) for path in changed) <= characters:
            found.append(edit)
    return tuple(found) or template.edits


def _seated(slots: list[Item | None], workers: list[Worker], draws: Draws) -> list[Worker]:
    """Return a worker for each slot: what is planted leans to those who are often wrong, a decoy the other way.

    Which of a pair of twins is played is drawn elsewhere, so both have the same worker. A worker sits once while others
    are free.
    """
    free = list(workers)
    chosen: dict[int, Worker] = {}
    order = sorted(range(len(slots)), key=lambda index: _is_decoy(slots[index]))
    for index in order:
        decoy = _is_decoy(slots[index])
        chosen[index] = free.pop(draws.weighted(_leaning(free, decoy=decoy)))
        free = free or list(workers)
    return [chosen[index] for index in range(len(slots))]


def _is_decoy(item: Item | None) -> bool:
    return item is None or item.decoy


def _leaning(workers: list[Worker], *, decoy: bool) -> dict[int, float]:
    """Return how likely each worker is to get a slot."""
    rates = (worker.rate if decoy else 1 - worker.rate for worker in workers)
    return {place: rate**LEANING + 0.01 for place, rate in enumerate(rates)}


def _shipper(org: Org, item: Item | None, workers: list[Worker], draws: Draws) -> tuple[Worker, list[Worker]]:
    """Return the worker of the ship request, and all of them.

    It is the release manager, who changes places with whoever the slot leans to: ways of working and records move,
    names stay. Whom the organisation has given an archetype stays as it is.
    """
    manager = next((place for place, worker in enumerate(workers) if worker.role == "release manager"), 0)
    free = [place for place, seat in enumerate(org.workers) if not seat.archetype]
    if manager not in free:
        return workers[manager], workers
    other = free[draws.weighted(_leaning([workers[place] for place in free], decoy=_is_decoy(item)))]
    order = list(range(len(workers)))
    order[manager], order[other] = other, manager
    moved = [
        replace(workers[place], id=seat.id, role=seat.role) for place, seat in zip(order, org.workers, strict=True)
    ]
    return moved[manager], moved
