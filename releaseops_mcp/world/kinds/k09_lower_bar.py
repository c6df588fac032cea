"""What coverage asks for falls: a lower threshold, a file left out, code marked as not to be covered.

Twins: a threshold that rises, or falls no further than the organisation lets it; a file that may be left out; a ticket
in which the granting team agreed to it.
"""

import re

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.granting import granting
from releaseops_mcp.world.changes.steps import INDENT, place_of_tests, with_blocks
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing, shared_waiver
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.coverage_ratchet import CONFIG, THRESHOLD, Ratchet
from releaseops_mcp.world.state import Ticket, TicketEvent
from releaseops_mcp.world.templates import Template

FAMILY = "coverage_ratchet"
LEAST_DAYS = 12
"""A shorter exception would have run out before the release: its ticket is up to nine days old at the start."""
FIRST_DEF = re.compile(r"^( *def [^\d\"'\n]*:)$", re.MULTILINE)
"""A function without a literal in its head: a new literal would be another matter."""
TITLES = ("Coverage while the old importer goes", "Coverage of the new paths", "Tests of the slow paths are moved")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Touch what coverage asks for, in one of five forms."""
    text = draft.head.tree[CONFIG]
    if variant == "number":
        draft.amend({CONFIG: _with_threshold(text, _number(draft, fault, draws))})
    elif variant == "moved":
        line = f"      - name: Coverage\n{INDENT}run: coverage report --fail-under={_number(draft, fault, draws):g}\n"
        workflow = draft.head.tree[WORKFLOW]
        tests = place_of_tests(workflow)
        assert tests is not None
        draft.amend({CONFIG: "[report]\nomit =\n", WORKFLOW: with_blocks(workflow, {tests: tests.line + line})})
    elif variant == "omitted":
        out, kept = _files(draft, fault, draws)
        lines = (f"    {path}\n" if path == out else f"#   {path}\n" for path in sorted((out, kept)))
        draft.amend({CONFIG: text.replace("omit =\n", "omit =\n" + "".join(lines))})
    elif variant == "pragma":
        out, kept = _files(draft, fault, draws)
        draft.amend({path: _marked(draft.head.tree[path], word) for path, word in ((out, "cover"), (kept, "branch"))})
    else:
        ticket = _ticket(draft, fault, draws)
        lowered = _with_threshold(text, _number(draft, True, draws))
        draft.amend({CONFIG: lowered.replace("omit =\n", f"# See {ticket.id}.\nomit =\n")})
        draft.tickets.append(ticket)


def _number(draft: Draft, fault: bool, draws: Draws) -> float:
    """Return a threshold below what the organisation lets one change come to, or one that it lets pass."""
    wanted = _settings(draft.org, draft.service)
    was = _threshold(draft.template)
    low = max(was - wanted.slack, wanted.least)
    down, up, rises = draws.integer(1, 12), draws.integer(1, 3), draws.chance(0.5)
    if fault:
        return low - down
    return was + up if rises or low == was else low


def _with_threshold(text: str, number: float) -> str:
    return re.sub(r"(fail_under = )[\d.]+", rf"\g<1>{number:g}", text)


def _files(draft: Draft, fault: bool, draws: Draws) -> tuple[str, str]:
    """Return the file that is left out and the one that is not: a product file and one that may be left out."""
    product, free = _sorted_out(draft.org, draft.service, draft.template)
    about = draft.template.defect_of(draft.edit).path
    chosen = draws.choice(product)
    one, other = about if about in product else chosen, draws.choice(free)
    return (one, other) if fault else (other, one)


def _sorted_out(org: Org, service: Service, template: Template) -> tuple[list[str], list[str]]:
    """Return the code that has to be covered, and the code that may be left out."""
    may = _settings(org, service).may_omit
    code = [path for path, text in template.base.items() if _is_code(template, path) and FIRST_DEF.search(text)]
    return [path for path in code if not covered(may, path)], [path for path in code if covered(may, path)]


def _is_code(template: Template, path: str) -> bool:
    return path.startswith(f"{template.package}/") and path.endswith(".py")


def _marked(text: str, word: str) -> str:
    return FIRST_DEF.sub(rf"\1  # pragma: no {word}", text, count=1)


def _ticket(draft: Draft, fault: bool, draws: Draws) -> Ticket:
    """Return the ticket that lets the threshold fall: the label counts where one of the granting team put it on."""
    waiver = shared_waiver(draft.org, bearing(draft.org, draft.service, FAMILY))
    assert waiver is not None
    able, outside = granting(draft, waiver)
    opened = draft.minute - draws.integer(4, 9) * DAY
    grantor, stranger = draws.choice(able), draws.choice(outside)
    return Ticket(
        id=draft.new_id("ticket"),
        title=draws.choice(TITLES),
        state="open",
        body="Back to the old number within the month.",
        component=draft.service.name,
        reporter=draft.worker,
        minute=opened,
        labels=(waiver.label,),
        events=(TicketEvent("labeled", stranger if fault else grantor, opened + 90, waiver.label),),
    )


def _settings(org: Org, service: Service) -> Ratchet:
    return Ratchet.model_validate(bearing(org, service, FAMILY)[0].params)


def _threshold(template: Template) -> float:
    return next(float(found[1]) for line in template.base[CONFIG].splitlines() if (found := THRESHOLD.match(line)))


def _has_bar(org: Org, service: Service, template: Template) -> bool:
    text = template.base.get(CONFIG, "")
    low = max(_threshold(template) - _settings(org, service).slack, _settings(org, service).least) if text else 0
    return text.endswith("omit =\n") and 12 < low <= _threshold(template)


def _may_omit(org: Org, service: Service, template: Template) -> bool:
    return _has_bar(org, service, template) and all(_sorted_out(org, service, template))


def _may_mark(org: Org, service: Service, template: Template) -> bool:
    """Return whether, besides, a change of product code alone is looked at."""
    touches = bearing(org, service, FAMILY)[0].scope.touches
    return (not touches or "source" in touches) and _may_omit(org, service, template)


def _may_move(org: Org, service: Service, template: Template) -> bool:
    return _has_bar(org, service, template) and place_of_tests(template.base[WORKFLOW]) is not None


def _may_be_waived(org: Org, service: Service, template: Template) -> bool:
    waiver = shared_waiver(org, bearing(org, service, FAMILY))
    return waiver is not None and waiver.days >= LEAST_DAYS and _has_bar(org, service, template)


KIND = Kind(
    name="k09-lower-bar",
    group="B",
    title="What coverage asks for was lowered",
    family=FAMILY,
    variants=(
        Variant("number", depth=1, differs=("patch",), pages=1, fits=_has_bar),
        Variant("pragma", depth=2, differs=("patch",), pages=2, fits=_may_mark),
        Variant("omitted", depth=2, differs=("patch",), pages=1, fits=_may_omit),
        Variant("moved", depth=3, differs=("patch", "log"), pages=1, fits=_may_move),
        Variant("waiver", depth=4, differs=("ticket",), pages=2, fits=_may_be_waived),
    ),
    plant=plant,
)
