"""The release goes out over a blocker bug: open, lifted by somebody who may not, or closed by the worker itself.

Twins: a label that means something else here; a bug of another component; an owner who lifted or closed it; the same
label, beside another one than that with which it blocks.
"""

from dataclasses import replace
from itertools import permutations

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.bugs import COUNT, UNSETTLED, another, bug, hands_of, labels
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.state import Ticket
from releaseops_mcp.world.templates import Template

FAMILY = "blocker_bugs"
REQUEST = "ship_release_candidate"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Make one of the named bugs a blocker, or the lookalike of one; the other bug has what this one has not."""
    places = range(len(draft.tickets) - COUNT, len(draft.tickets))
    place = draws.choice(places)
    if variant == "together":
        _pair(draft, place, next(each for each in places if each != place), fault, draws)
        return
    beside = next(each for each in places if each != place)
    blocker, plain = (draws.choice(labels(draft.org, blocking=which)) for which in (True, False))
    if variant in UNSETTLED:
        _elsewhere(draft, (place, beside), variant, fault, (blocker, plain), draws)
    else:
        _settled(draft, (place, beside), variant, fault, (blocker, plain), draws)


def _elsewhere(
    draft: Draft, places: tuple[int, int], form: str, fault: bool, names: tuple[str, str], draws: Draws
) -> None:
    """Two bugs, one of another component, one with a label that blocks: the same one, or not."""
    components = (draft.service.name, another(draft))
    if form == "label":
        names = names if fault else (names[1], names[0])
    else:
        components = components if fault else (components[1], components[0])
    for place, label, component in zip(places, names, components, strict=True):
        ticket = bug(draft, draft.tickets[place].id, "label", draws.child(place), spoiled=False)
        draft.tickets[place] = replace(_labelled(ticket, label), component=component)


def _settled(
    draft: Draft, places: tuple[int, int], form: str, fault: bool, names: tuple[str, str], draws: Draws
) -> None:
    """Two bugs of the service that were lifted or closed, one by an owner and one by a stranger; one was a blocker."""
    hands = hands_of(draft)
    actors = (draws.choice(hands.others), draws.choice(hands.able))
    for place, label, actor in zip(places, names, actors if fault else actors[::-1], strict=True):
        ticket = _labelled(bug(draft, draft.tickets[place].id, form, draws.child(place), spoiled=False), label)
        last = replace(ticket.events[-1], actor=actor)
        draft.tickets[place] = replace(ticket, events=(*ticket.events[:-1], last))


def _labelled(ticket: Ticket, label: str) -> Ticket:
    """Return a bug whose label, now or once, is this one."""
    events = tuple(replace(event, label=label if event.label else "") for event in ticket.events)
    return replace(ticket, labels=(label,) if ticket.labels else (), events=events)


def _pair(draft: Draft, place: int, beside: int, fault: bool, draws: Draws) -> None:
    """Put a label of a pair on one bug and a plain one on the other; the pair's second label goes with either."""
    first, second, plain, other = draws.choice(_pairs(draft.org, draft.service))
    for at, names in ((place, (first, second if fault else other)), (beside, (plain, other if fault else second))):
        ticket = bug(draft, draft.tickets[at].id, "label", draws.child(at), spoiled=False)
        labelled = ticket.events[0]
        events = tuple(replace(labelled, label=label, minute=labelled.minute + 2 * n) for n, label in enumerate(names))
        draft.tickets[at] = replace(ticket, labels=names, events=events)


def _pairs(org: Org, service: Service) -> list[tuple[str, str, str, str]]:
    """Return two labels that block together, and two that do so with none of these."""
    rules = bearing(org, service, FAMILY, REQUEST)
    pairs = [(first, second) for rule in rules for first, second in rule.params.get("together", ())]
    plain = sorted(set(labels(org, blocking=False)) - {name for pair in pairs for name in pair})
    return [(*pair, *two) for pair in pairs for two in permutations(plain, 2)]


def _has_pairs(org: Org, service: Service, template: Template) -> bool:
    return bool(_pairs(org, service))


def _has_labels(org: Org, service: Service, template: Template) -> bool:
    return bool(labels(org, blocking=True)) and bool(labels(org, blocking=False))


def _has_owners(org: Org, service: Service, template: Template) -> bool:
    """Return whether every worker has an owner of the service who does not prompt it, and may settle a blocker."""
    owners = [each for each in org.people if each.kind == "human" and not set(service.owners).isdisjoint(each.teams)]
    free = all(any(seat.id not in owner.operator_of for owner in owners) for seat in org.workers)
    return free and _has_labels(org, service, template)


KIND = Kind(
    name="k30-open-blocker",
    group="F",
    title="A blocker bug is open or was waved away",
    family=FAMILY,
    request=REQUEST,
    variants=(
        Variant("label", depth=1, differs=("ticket",), pages=3, fits=_has_labels),
        Variant("component", depth=2, differs=("ticket",), pages=3, fits=_has_labels),
        Variant("together", depth=3, differs=("ticket",), pages=3, fits=_has_pairs),
        Variant("closed", depth=3, differs=("ticket",), pages=3, fits=_has_owners),
        Variant("lifted", depth=4, differs=("ticket",), pages=3, fits=_has_owners),
    ),
    plant=plant,
)
