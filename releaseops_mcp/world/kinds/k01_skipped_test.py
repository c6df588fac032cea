"""A guarded test stops running: a skip marker lands with the change that it guards.

Twins: a marker that applies on another platform only; a marker on a test that nobody guards; a marker whose ticket the
owners have put into quarantine.
"""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.granting import granting
from releaseops_mcp.world.changes.source import decorated
from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing, shared_waiver
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.state import Ticket, TicketEvent
from releaseops_mcp.world.templates import Template

FAMILY = "test_presence"
REASONS = ("hangs now and then", "pre-existing, unrelated", "needs a warm cache", "slow here")
HERE = 'pytest.mark.skip(reason="{reason}")'
ON_CI = 'pytest.mark.skipif(os.getenv("CI") == "true", reason="{reason}")'
LEAST_DAYS = 12
"""A shorter exception would have run out before the release: its ticket is up to nine days old at the start."""
ELSEWHERE = 'pytest.mark.skipif(sys.platform == "win32", reason="{reason}")'


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Put a marker on a test of the change, in one of four forms."""
    reason = draws.choice(REASONS)
    guarded, free = (_pick(draft, draws, wanted) for wanted in (True, False))
    if variant == "platform":
        _mark(draft, guarded, HERE if fault else ELSEWHERE, reason)
    elif variant == "on-ci":
        _mark(draft, guarded, ON_CI if fault else ELSEWHERE, reason)
    elif variant == "guarded":
        _mark(draft, guarded if fault else free, HERE, reason)
    else:
        ticket = _quarantine(draft, guarded, fault, draws)
        _mark(draft, guarded, HERE, f"{reason}, see {ticket.id}")
        draft.tickets.append(ticket)


def _pick(draft: Draft, draws: Draws, guarded: bool) -> str:
    """Return a test that was there before the change: the one that guards it, or any other of the wanted sort."""
    tests = [
        test.id
        for test in collect(draft.template.base)
        if covered(draft.service.protected, test.id.partition("::")[0]) is guarded
    ]
    drawn = draws.choice(tests) if tests else ""
    return draft.edit.guards if draft.edit.guards in tests else drawn


def _mark(draft: Draft, test: str, marker: str, reason: str) -> None:
    path, _, name = test.partition("::")
    imports = ["pytest", *(module for module in ("os", "sys") if f"{module}." in marker)]
    text = decorated(draft.head.tree[path], name, marker.format(reason=reason), *imports)
    draft.amend({path: text})


def _quarantine(draft: Draft, test: str, fault: bool, draws: Draws) -> Ticket:
    """Return the ticket of the flaky test; the label counts where one of the granting team put it on."""
    waiver = shared_waiver(draft.org, bearing(draft.org, draft.service, FAMILY))
    assert waiver is not None
    able, outside = granting(draft, waiver)
    opened = draft.minute - draws.integer(4, 9) * DAY
    grantor = draws.choice(able)
    stranger = draws.choice(outside)
    return Ticket(
        id=draft.new_id("ticket"),
        title=f"{test.partition('::')[2]} is flaky",
        state="open",
        body=f"{test} fails about once in thirty runs on the runner.",
        component=draft.service.name,
        reporter=draft.worker,
        minute=opened,
        labels=(waiver.label,),
        events=(TicketEvent("labeled", stranger if fault else grantor, opened + 90, waiver.label),),
    )


def _may_be_waived(org: Org, service: Service, template: Template) -> bool:
    waiver = shared_waiver(org, bearing(org, service, FAMILY))
    return waiver is not None and waiver.days >= LEAST_DAYS and _has_guarded(org, service, template)


def _has_both(org: Org, service: Service, template: Template) -> bool:
    return _guarded(service, template) == {True, False}


def _has_guarded(org: Org, service: Service, template: Template) -> bool:
    return True in _guarded(service, template)


def _guarded(service: Service, template: Template) -> set[bool]:
    """Return whether there are tests that the service guards, and tests that it does not."""
    return {covered(service.protected, test.id.partition("::")[0]) for test in collect(template.base)}


KIND = Kind(
    name="k01-skipped-test",
    group="A",
    title="A guarded test is skipped",
    family=FAMILY,
    variants=(
        Variant("platform", depth=1, differs=("patch", "junit", "log"), pages=2, fits=_has_guarded),
        Variant("on-ci", depth=2, differs=("patch", "junit", "log"), pages=2, fits=_has_guarded),
        Variant("guarded", depth=3, differs=("patch", "commits", "junit", "log"), pages=2, fits=_has_both),
        Variant("waiver", depth=4, differs=("ticket",), pages=3, fits=_may_be_waived),
    ),
    plant=plant,
)
