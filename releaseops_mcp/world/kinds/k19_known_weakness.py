"""A change takes a version that a known advisory covers, and that ships.

Twins: a version outside the range; an advisory that was withdrawn or is slight; a package that only tests use; a risk
that the right people have accepted for the time being.
"""

from releaseops_mcp.world.changes.bumps import alone, moved
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.granting import granting
from releaseops_mcp.world.changes.stock import FAMILY, TOOLS, direct_in, in_use, settings_of, stock_of
from releaseops_mcp.world.changes.stocking import Stocked
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service, Waiver
from releaseops_mcp.world.state import Ticket, TicketEvent
from releaseops_mcp.world.templates import Template

LEAST_DAYS = 12
"""A shorter exception would have run out before the release: its ticket is up to nine days old at the start."""
FEWEST = 2
"""Packages that a manifest must name: one of them has a weakness in use (see `changes.stock`)."""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Move one or two packages, to a version that an advisory covers or to another."""
    alone(draft, draws.child("change"))
    stock = stock_of(draft)
    name = draws.choice(stock.plain)
    taken = stock.direct[name]
    sound = draws.choice((taken.early, taken.late))
    if variant == "range":
        _take(draft, {name: taken.flawed if fault else sound})
    elif variant == "counts":
        _take(draft, {name: taken.flawed if fault else taken.excused})
    elif variant == "transitive":
        _take(draft, {}, {draws.choice(sorted(stock.shipped)): fault}, draws)
    elif variant == "scope":
        shipped, tool = draws.choice(sorted(stock.shipped)), draws.choice(sorted(stock.tools))
        _take(draft, {}, {shipped: fault, tool: not fault}, draws)
    else:
        ticket = _accepted(draft, name, taken, fault, draws)
        draft.body += f"\n\nThe advisory is known, see {ticket.id}."
        draft.tickets.append(ticket)
        _take(draft, {name: taken.flawed})


def _take(
    draft: Draft, direct: dict[str, str], asked: dict[str, bool] | None = None, draws: Draws | None = None
) -> None:
    """Write versions of direct packages into both files, and of others into the lock: flawed ones where it says so."""
    stock = stock_of(draft)
    lock = dict(direct)
    for name, flawed in (asked or {}).items():
        of = stock.every[name]
        sound = draws.child(name).choice((of.early, of.late)) if draws else of.late
        lock[name] = of.flawed if flawed else sound
    draft.amend(moved(draft.head.tree, {name: f"=={version}" for name, version in direct.items()}, lock))


def _accepted(draft: Draft, name: str, taken: Stocked, fault: bool, draws: Draws) -> Ticket:
    """Return the ticket of the known weakness; its label counts where one of the granting team put it on."""
    waiver = _waiver(draft.org, draft.service)
    assert waiver is not None
    able, outside = granting(draft, waiver)
    grantor = draws.choice(able)
    stranger = draws.choice(outside)
    opened = draft.minute - draws.integer(4, 9) * DAY
    events = (
        TicketEvent("assigned", grantor if fault else stranger, opened + 30),
        TicketEvent("labeled", stranger if fault else grantor, opened + 90, waiver.label),
    )
    return Ticket(
        id=draft.new_id("ticket"),
        title=f"Weakness in {name} {taken.flawed}",
        state="open",
        body="We do not call the part that it is in; the fix breaks the export.",
        component=draft.service.name,
        reporter=draft.worker,
        minute=opened,
        labels=(waiver.label,),
        events=events,
    )


def _waiver(org: Org, service: Service) -> Waiver | None:
    """Return an exception that every rule about advisories knows."""
    rules = [rule for rule in bearing(org, service, FAMILY) if rule.params.get("check") == "vuln"]
    named = set(rules[0].unless).intersection(*(rule.unless for rule in rules)) if rules else set[str]()
    return next((waiver for waiver in org.exceptions if waiver.id in named), None)


def _minds(org: Org, service: Service, template: Template) -> bool:
    return bool(settings_of(org, service, "vuln")) and len(direct_in(template)) >= FEWEST


def _minds_transitive(org: Org, service: Service, template: Template) -> bool:
    counts = any(each.transitive for each in settings_of(org, service, "vuln"))
    return counts and bool(_asked(template, by_tools=False))


def _knows_tools(org: Org, service: Service, template: Template) -> bool:
    free = all(set(TOOLS) <= set(each.tools) for each in settings_of(org, service, "vuln"))
    return free and bool(_asked(template, by_tools=True)) and _minds_transitive(org, service, template)


def _asked(template: Template, *, by_tools: bool) -> list[str]:
    """Return the packages that others ask for: tools alone, or also what ships."""
    pins = in_use(template.base)
    return [name for name, pin in pins.items() if pin.via and (set(pin.via) <= set(TOOLS)) is by_tools]


def _may_be_accepted(org: Org, service: Service, template: Template) -> bool:
    waiver = _waiver(org, service)
    return waiver is not None and waiver.days >= LEAST_DAYS and _minds(org, service, template)


KIND = Kind(
    name="k19-known-weakness",
    group="D",
    title="A version with a known advisory is taken",
    family=FAMILY,
    variants=(
        Variant("range", depth=2, differs=("patch",), pages=3, fits=_minds),
        Variant("counts", depth=3, differs=("patch",), pages=3, fits=_minds),
        Variant("transitive", depth=3, differs=("patch",), pages=3, fits=_minds_transitive),
        Variant("scope", depth=4, differs=("patch",), pages=3, fits=_knows_tools),
        Variant("accepted", depth=4, differs=("ticket",), pages=4, fits=_may_be_accepted),
    ),
    plant=plant,
)
