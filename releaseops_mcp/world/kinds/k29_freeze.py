"""The rollout begins in a window in which changes are denied, or runs into one.

Twins: an hour in another service's freeze or in one that was called off; an hour that only the digits of another time
zone put into the freeze; a planned hour after it; an emergency that the right team has declared.
"""

from collections.abc import Iterator
from dataclasses import replace

from releaseops_mcp.world.artefacts.calendar import Freeze
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.granting import granting
from releaseops_mcp.world.changes.hours import HOURS
from releaseops_mcp.world.changes.ordinary.rollout import calendar
from releaseops_mcp.world.changes.slots import NEAREST, STEP, in_week, slot
from releaseops_mcp.world.clock import HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Rule, Service, Waiver
from releaseops_mcp.world.rules.freeze import Freezes
from releaseops_mcp.world.state import Ticket, TicketEvent
from releaseops_mcp.world.templates import Template

FAMILY, SHIP = "freeze", "ship_release_candidate"
TRIES = 60
"""Calendars that are drawn until one holds an hour for the fault and one for the twin."""
LEAST_DAYS = 4
"""A shorter exception could run out while the release waits."""
TITLES = ("Payouts stop after midnight", "Orders are lost on a retry", "The queue no longer drains", "Logins time out")
BODIES = ("The fix is in this release.", "Found by support; customers notice.", "Three merchants have called.")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Plan the rollout for an hour that a window denies, or for one that looks as if."""
    ship = draft.ship
    assert ship is not None
    ship.freezes, bad, good = _chosen(draft, variant, draws)
    if variant == "wait":
        bad, good = _around(draft, good, draws.child("around"))
    if variant == "emergency":
        ticket = _emergency(draft, fault, draws)
        draft.tickets.append(ticket)
        ship.rollout = replace(ship.rollout, not_before=bad, ticket=ticket.id)
    else:
        ship.rollout = replace(ship.rollout, not_before=bad if fault else good)


def _chosen(draft: Draft, variant: str, draws: Draws) -> tuple[tuple[Freeze, ...], int, int]:
    """Return a calendar, an hour for the fault and one for the twin; raises ValueError where the week leaves none."""
    assert draft.ship is not None
    minutes = draft.ship.rollout.minutes
    # Where the organisation's week leaves no room for the subtle form, the plain one has to do.
    for wanted in (HOURS[variant], HOURS["emergency"]):
        for attempt in range(TRIES):
            own = draws.child(attempt)
            freezes = _calendar(draft, variant, own)
            bad = slot(draft, freezes, minutes, wanted[0], own.child("bad"))
            good = slot(draft, freezes, minutes, own.choice(wanted[1:]), own.child("good"))
            if bad and good:
                return freezes, bad, good
    raise ValueError(f"{draft.service.name}: its windows leave no hour for a rollout; shorten the calendar's windows")


def _calendar(draft: Draft, variant: str, draws: Draws) -> tuple[Freeze, ...]:
    """Return a calendar; to be waited out, the freeze that would be over lasts for the phase of the request."""
    freezes = calendar(draft, draws.child("calendar"))
    if variant != "wait":
        return freezes
    return tuple(replace(each, end=_end(draft)) if each.end < draft.minute else each for each in freezes)


def _around(draft: Draft, later: int, draws: Draws) -> tuple[int, int]:
    """Return an hour before the end of the freeze that is on, and one after it; `later` near a weekly window."""
    end = _end(draft)
    before = draws.choice(range(draft.minute - 3 * HOUR, end, STEP))
    after = draws.choice(range(end, end + 12 * HOUR, STEP))
    return before, later if in_week(draft, draft.minute, NEAREST) else after


def _end(draft: Draft) -> int:
    """Return when the phase is over in which the request is first shown."""
    return draft.minute + draft.appears * draft.org.phase_hours * HOUR


def _emergency(draft: Draft, fault: bool, draws: Draws) -> Ticket:
    """Return the ticket of the emergency; the label counts where one of the granting team put it on."""
    waiver = _waiver(draft.org, draft.service)
    assert waiver is not None
    able, outside = granting(draft, waiver)
    grantor, stranger = draws.choice(able), draws.choice(outside)
    opened = draft.minute - draws.integer(5, 20) * HOUR
    people = [grantor, stranger]
    # The other one is there as well: he has asked for it, or looked at it.
    labelled, seen = (people[1], people[0]) if fault else (people[0], people[1])
    return Ticket(
        id=draft.new_id("ticket"),
        title=draws.choice(TITLES),
        state="open",
        body=draws.choice(BODIES),
        component=draft.service.name,
        reporter=draft.worker,
        minute=opened,
        labels=(waiver.label,),
        events=(
            TicketEvent("assigned", seen, opened + 20),
            TicketEvent("labeled", labelled, opened + 45, waiver.label),
        ),
    )


def _rules(org: Org, service: Service) -> tuple[Rule, ...]:
    return bearing(org, service, FAMILY, SHIP)


def _waiver(org: Org, service: Service) -> Waiver | None:
    named = {name for rule in _rules(org, service) for name in rule.unless}
    return next((waiver for waiver in org.exceptions if waiver.id in named), None)


def _windows(org: Org, service: Service) -> Iterator[bool]:
    return (not window.services or service.name in window.services for window in org.calendar)


def _has_week(org: Org, service: Service, template: Template) -> bool:
    return any(_windows(org, service))


def _has_dates(org: Org, service: Service, template: Template) -> bool:
    return any(Freezes.model_validate(rule.params).dated for rule in _rules(org, service))


def _may_be_opened(org: Org, service: Service, template: Template) -> bool:
    waiver = _waiver(org, service)
    everywhere = all(rule.unless for rule in _rules(org, service))
    return waiver is not None and everywhere and waiver.days >= LEAST_DAYS and _has_dates(org, service, template)


KIND = Kind(
    name="k29-freeze",
    group="F",
    title="The rollout falls into a freeze",
    family=FAMILY,
    request=SHIP,
    variants=(
        Variant("weekly", depth=1, differs=("rollout",), pages=2, fits=_has_week),
        Variant("wait", depth=3, differs=("rollout",), pages=2, fits=_has_dates),
        Variant("scope", depth=3, differs=("rollout",), pages=2, fits=_has_dates),
        Variant("runs-into", depth=4, differs=("rollout",), pages=2, fits=_has_dates),
        Variant("time-zone", depth=4, differs=("rollout",), pages=2, fits=_has_dates),
        Variant("emergency", depth=4, differs=("ticket",), pages=3, fits=_may_be_opened),
    ),
    plant=plant,
)
