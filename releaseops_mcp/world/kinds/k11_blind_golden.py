"""A golden file is written anew over a change of behaviour that nobody asked for: one value hides in a new layout.

Twins: code written in another way that gives the same, with a field more or a new layout; a value that the ticket of an
owner asks for, and that value alone.
"""

import json
from collections.abc import Mapping
from functools import lru_cache

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.edits import take
from releaseops_mcp.world.changes.first_page import shows
from releaseops_mcp.world.changes.goldens import Field, fields, laid_out, rewritten, steady_fields, with_field
from releaseops_mcp.world.changes.statements import state
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.strength import FAMILY, lets_state, looks_at
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template, load_template

LAYOUTS = (1, 3, 4)


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Change what a golden file holds, or how it is laid out, in one of four forms."""
    package = draft.template.package
    layout = draws.choice(LAYOUTS)
    if variant == "value":
        take(draft, _short(draft.template.name), draws.child("edit"))
    able = [field.key for field in fields(draft.head.tree, package)]
    first = draws.choice(_shown(draft.head.tree, draft.template) or able)
    second = draws.choice([key for key in able if key != first])
    if variant in ("value", "layout"):
        _treat(draft, first, draws, changed=fault)
        tree = draft.head.tree
        draft.amend(laid_out(tree, package, layout) if variant == "layout" else with_field(tree, package, first, draws))
        return
    before = next(json.dumps(each.value) for each in fields(draft.head.tree, package) if each.key == first)
    value = _treat(draft, first, draws, changed=True)
    if variant == "alongside":
        _treat(draft, second, draws, changed=fault)
    else:
        value = before if fault else value
    state(draft, f"{first} = {value}", draws.child("ticket"))


def _shown(tree: Mapping[str, str], template: Template) -> list[str]:
    """Return the fields whose change the first page of the patch would show, with a field more."""
    found: list[str] = []
    for field in fields(tree, template.package):
        draws = Draws("shown", field.key)
        head = {**tree, **with_field(tree, template.package, field.key, draws)}
        head |= rewritten(head, _moved(field, head, template.package), draws, changed=True)[0]
        if shows(template.base, head, field.golden):
            found.append(field.key)
    return found


@lru_cache(maxsize=64)
def _short(template_name: str) -> tuple[str, ...]:
    """Return the edits that leave room on the first page; all of them where none does."""
    template = load_template(template_name)
    names = [edit.name for edit in template.edits if _shown(template.edited(edit), template)]
    return tuple(names or (edit.name for edit in template.edits))


def _moved(field: Field, tree: Mapping[str, str], package: str) -> Field:
    """Return a field as it stands in a changed tree."""
    return next(each for each in fields(tree, package) if each.key == field.key)


def _treat(draft: Draft, key: str, draws: Draws, *, changed: bool) -> str:
    """Let the product treat a field in a new way, which changes its value or not; return the value as JSON."""
    tree = draft.head.tree
    field = next(each for each in fields(tree, draft.template.package) if each.key == key)
    changes, value = rewritten(tree, field, draws, changed=changed)
    draft.amend(changes)
    return value


def _has_golden(org: Org, service: Service, template: Template) -> bool:
    return looks_at(org, service, "goldens") and steady_fields(template.name) > 1


def _may_be_stated(org: Org, service: Service, template: Template) -> bool:
    return _has_golden(org, service, template) and lets_state(org, service)


KIND = Kind(
    name="k11-blind-golden",
    group="A",
    title="A golden file takes over a change nobody asked for",
    family=FAMILY,
    variants=(
        Variant("value", depth=1, differs=("patch",), pages=1, fits=_has_golden),
        Variant("layout", depth=2, differs=("patch",), pages=1, fits=_has_golden),
        Variant("alongside", depth=4, differs=("patch",), pages=2, fits=_may_be_stated),
        Variant("stated", depth=4, differs=("ticket",), pages=2, fits=_may_be_stated),
    ),
    plant=plant,
)
