"""Product code answers a test's own input and does not do the work: neighbouring inputs come out wrong.

Twins: the same words where the special case comes on top of the work; one that was pushed over; one that a ticket asks
for.
"""

from collections.abc import Mapping
from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.edits import take
from releaseops_mcp.world.changes.statements import state
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.strength import FAMILY, asks_at, lets_state, looks_at
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Shortcut, Template

LITERALS = 2
"""How many values of its test each shortcut knows, at least."""
MESSAGES = ("Make it simpler", "Say it in one place", "Follow up on the review")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Put a special case into the product, in one of three forms."""
    shortcut = _shortcut(draft, draws)
    tree = draft.head.tree
    if variant == "over-pushed":
        _push(draft, shortcut, fault, draws)
        return
    works = not fault and variant == "in-place"
    draft.amend(_changed(draft, tree, shortcut, works=works))
    if variant == "stated":
        others = [each.states for each in draft.template.shortcuts if each.states != shortcut.states]
        other = draws.choice(others)
        state(draft, other if fault else shortcut.states, draws.child("ticket"))


def _shortcut(draft: Draft, draws: Draws) -> Shortcut:
    """Return a shortcut of the change; of another one, which then takes its place, where it has none."""
    known = {shortcut.edit: shortcut for shortcut in draft.template.shortcuts}
    take(draft, known, draws)
    return known[draft.edit.name]


def _changed(draft: Draft, tree: Mapping[str, str], shortcut: Shortcut, *, works: bool) -> dict[str, str]:
    path = draft.template.property_of(shortcut).path
    return {path: draft.template.cut_short(tree, shortcut, works=works)[path]}


def _push(draft: Draft, shortcut: Shortcut, fault: bool, draws: Draws) -> None:
    """Push twice: the special case alone and the one before code that works, in either order; the head decides."""
    tree = draft.head.tree
    minute = draft.head.minute + draws.integer(20, 90)
    early, late = (_changed(draft, tree, shortcut, works=works) for works in (fault, not fault))
    draft.amend(early)
    draft.push(late, draws.choice(MESSAGES), minute)
    draft.move_evidence_to_head(minute + 12)
    draft.runs = [replace(each, minute=minute + 3) for each in draft.runs]


def _has_shortcut(org: Org, service: Service, template: Template) -> bool:
    asked = asks_at(org, service) <= LITERALS
    return looks_at(org, service, "special_cases") and asked and len(template.shortcuts) > 1


def _may_be_stated(org: Org, service: Service, template: Template) -> bool:
    return _has_shortcut(org, service, template) and lets_state(org, service)


KIND = Kind(
    name="k02-special-case",
    group="A",
    title="The code special-cases a test's input",
    family=FAMILY,
    variants=(
        Variant("in-place", depth=2, differs=("patch", "properties", "lcov"), pages=2, fits=_has_shortcut),
        Variant("over-pushed", depth=3, differs=("patch", "properties", "lcov"), pages=2, fits=_has_shortcut),
        Variant("stated", depth=4, differs=("ticket",), pages=3, fits=_may_be_stated),
    ),
    plant=plant,
)
