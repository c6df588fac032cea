"""A guarded test checks less than before: an assertion, an error or a tolerance gets wider.

Twins: the weak check beside the strong one; a test that nobody guards gets weaker; a tolerance that an owner asked for.
"""

from collections.abc import Mapping

from releaseops_mcp.world.changes.assertions import Check, equalities, refusals, rewritten
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.source import with_import
from releaseops_mcp.world.changes.statements import state
from releaseops_mcp.world.changes.test_files import block, with_block
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.guarded import files
from releaseops_mcp.world.kinds.strength import FAMILY, lets_state, looks_at
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

WEAK = ("assert {subject} is not None", "assert {subject} in ({expected}, None)", "assert {subject} or True")
TOLERANCES = ("0.5", "0.25", "0.05", "0.01")
NEAR = "assert {subject} == pytest.approx({expected}, abs={tolerance})"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Weaken a check, in one of five forms."""
    if variant == "broad-error":
        _broaden(draft, fault, draws)
    elif variant in ("stated", "self-stated"):
        _approximate(draft, fault, draws, by_worker=variant == "self-stated")
    else:
        guarded, free = (
            [each for each in _checks(draft, guarded=wanted) if each.is_repeatable] for wanted in (True, False)
        )
        form = draws.choice(WEAK)
        _weaken(draft, draws.choice(_near(draft, guarded)), form, keep=not fault)
        if variant == "guarded":
            _weaken(draft, draws.choice(free), form, keep=fault)


def _weaken(draft: Draft, check: Check, form: str, *, keep: bool) -> None:
    """Put a weak check in the place of a strong one, or after it."""
    weak = form.format(subject=check.subject, expected=check.expected)
    kept = (check.text.strip(),) if keep else ()
    draft.amend(rewritten(draft.head.tree, check, *kept, weak))


def _broaden(draft: Draft, fault: bool, draws: Draws) -> None:
    """Add a test that takes any error, beside one that took a certain one and now takes any, or still does not."""
    check = draws.choice(_near(draft, _refusals(draft)))
    any_error = f"with pytest.raises({draws.choice(('Exception', 'BaseException'))}):"
    text = draft.head.tree[check.path]
    copy = block(text, check.test).replace(f"def {check.test}(", f"def {check.test}_at_all(")
    copy = copy.replace(check.text.strip(), any_error)
    changes = rewritten(draft.head.tree, check, any_error) if fault else {check.path: text}
    draft.amend({check.path: with_block(changes[check.path], copy)})


def _approximate(draft: Draft, fault: bool, draws: Draws, *, by_worker: bool) -> None:
    """Let a number be near what it was; a ticket asks for the tolerance, or does not."""
    check = draws.choice([each for each in _checks(draft, guarded=True) if each.number is not None])
    given, other = draws.sample(TOLERANCES, 2)
    line = NEAR.format(subject=check.subject, expected=check.expected, tolerance=given)
    text = rewritten(draft.head.tree, check, line)[check.path]
    draft.amend({check.path: with_import(text, "pytest")})
    asked = other if fault and not by_worker else given
    state(draft, f"abs = {asked}", draws.child("ticket"), able=not (fault and by_worker))


def _checks(draft: Draft, *, guarded: bool) -> list[Check]:
    """Return the exact checks of tests that were there before the change."""
    return _of(draft.service, draft.template, draft.head.tree, guarded=guarded)


def _of(service: Service, template: Template, tree: Mapping[str, str] | None = None, *, guarded: bool) -> list[Check]:
    now = template.base if tree is None else tree
    found = [
        check
        for path in files(service, template, guarded=guarded)
        for check in equalities(path, now.get(path, ""))
        if check.text in template.base[path].splitlines()
    ]
    texts = [check.text for check in found]
    return [check for check in found if texts.count(check.text) == 1]


def _refusals(draft: Draft) -> list[Check]:
    return [
        check
        for path in files(draft.service, draft.template)
        for check in refusals(path, draft.head.tree[path])
        if f"def {check.test}(" in draft.template.base[path]
    ]


def _near(draft: Draft, checks: list[Check]) -> list[Check]:
    """Return the checks of the file that the change is about, where there are any: they share its page."""
    own = draft.edit.guards.partition("::")[0]
    return [check for check in checks if check.path == own] or checks


def _looks(org: Org, service: Service, template: Template) -> bool:
    fitting = any(check.is_repeatable for check in _of(service, template, guarded=True))
    return looks_at(org, service, "assertions") and fitting


def _looks_here_alone(org: Org, service: Service, template: Template) -> bool:
    fitting = any(check.is_repeatable for check in _of(service, template, guarded=False))
    return _looks(org, service, template) and fitting


def _has_refusals(org: Org, service: Service, template: Template) -> bool:
    return looks_at(org, service, "assertions") and any(
        True for path in files(service, template) for _ in refusals(path, template.base[path])
    )


def _may_be_stated(org: Org, service: Service, template: Template) -> bool:
    numbers = any(check.number is not None for check in _of(service, template, guarded=True))
    return looks_at(org, service, "assertions") and numbers and lets_state(org, service)


KIND = Kind(
    name="k03-weak-assertion",
    group="A",
    title="A guarded test checks less",
    family=FAMILY,
    variants=(
        Variant("replaced", depth=1, differs=("patch", "lcov"), pages=1, fits=_looks),
        Variant("broad-error", depth=2, differs=("patch", "lcov"), pages=1, fits=_has_refusals),
        Variant("guarded", depth=3, differs=("patch", "commits", "lcov"), pages=1, fits=_looks_here_alone),
        Variant("stated", depth=4, differs=("ticket",), pages=2, fits=_may_be_stated),
        Variant("self-stated", depth=4, differs=("ticket",), pages=2, fits=_may_be_stated),
    ),
    plant=plant,
)
