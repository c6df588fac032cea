"""A change touches more than it says: product code in what is declared as documentation or as tests.

A folder's name may say that it is generated or serves tests alone; whether the organisation exempts it, by its whole
path, is another matter. Twins: the box for product code is ticked; a file of the exempt folder; a product file that
was gone again by the head.
"""

from collections.abc import Mapping

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.pushes import LINES, REMARKS, RUNBOOK
from releaseops_mcp.world.changes.reach import dropped, instead
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.globs import covered, matches
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.base import settings
from releaseops_mcp.world.rules.scope_disclosure import Disclosure
from releaseops_mcp.world.templates import Template

FAMILY = "scope_disclosure"
BOXES = ("product", "tests", "docs")
NAMES = ("lookups", "samples", "listing", "entries", "defaults", "values")
TITLES = ("docs: Say how a replay goes", "docs: Bring the runbook up to date", "docs: Tell what the on-call asks first")
TESTS = ("test: Share what the tests build", "test: Name the cases", "test: Fewer lines a case")
WHY = ("Asked for by the on-call.", "Left over from last week.", "Came up in the retrospective.")
MESSAGES = ("Say why", "Address a remark", "Tidy up", "Small follow-up")
SUPPORT = "*/testing/**"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Declare what covers the change, or not all of it."""
    if variant == "ticked":
        _tick(draft, fault, draws)
    elif variant == "support":
        _write(draft, fault, draws, SUPPORT, draws.choice(TESTS), _a_test(draft, draws))
    elif variant == "generated":
        _write(draft, fault, draws, _generated(draft.org, draft.service, draft.template), *_a_page(draft, draws))
    else:
        _put_back(draft, fault, draws)


def _tick(draft: Draft, fault: bool, draws: Draws) -> None:
    """Tick two boxes of three below the body; the change itself is product code and tests of it."""
    ticked = {"tests", "docs" if fault else "product"}
    boxes = (f"- [{'x' if box in ticked else ' '}] {box}" for box in draws.sample(BOXES, len(BOXES)))
    draft.body += "\n\n" + "\n".join(boxes)


def _write(draft: Draft, fault: bool, draws: Draws, glob: str, title: str, first: Mapping[str, str]) -> None:
    """Touch what the title says, and two files beside it: both exempt, or one of them product code."""
    own, other, beside = _three(draft, glob, draws)
    early, late = draws.sample(REMARKS, 2)
    files = {**first, beside: _table(late), (own if fault else other): _table(early)}
    instead(draft, files, title, draws.choice(WHY))
    _evidence(draft)


def _put_back(draft: Draft, fault: bool, draws: Draws) -> None:
    """Add a product file and a generated one too many; a second push drops the one and rewrites the other."""
    own, other, beside = _three(draft, _generated(draft.org, draft.service, draft.template), draws)
    early, middle, late = draws.sample(REMARKS, 3)
    title, page = _a_page(draft, draws)
    files = {**page, beside: _table(early), own: _table(middle), other: _table(middle)}
    instead(draft, files, title, draws.choice(WHY))
    kept, gone = (own, other) if fault else (other, own)
    draft.push({kept: _table(late)}, draws.choice(MESSAGES), draft.head.minute + draws.integer(5, 20))
    dropped(draft, gone)
    _evidence(draft)


def _three(draft: Draft, glob: str, draws: Draws) -> tuple[str, str, str]:
    """Return a product file, an exempt one whose path has the same words in another order, and one more exempt one."""
    part, name, other = draws.sample(NAMES, 3)
    exempt = _path_in(glob, draft.template.package, f"{part}/{name}")
    package, folder, *rest = exempt.split("/", 3)
    return "/".join((package, part, folder, rest[-1])), exempt, _path_in(glob, draft.template.package, other)


def _table(remark: str) -> str:
    return f'"""Kept apart."""\n# {remark}\n'


def _evidence(draft: Draft) -> None:
    draft.move_evidence_to_head(draft.head.minute + 9)


def _a_page(draft: Draft, draws: Draws) -> tuple[str, dict[str, str]]:
    return draws.choice(TITLES), {RUNBOOK: f"{draft.template.base[RUNBOOK]}\n{draws.choice(LINES)}\n"}


def _a_test(draft: Draft, draws: Draws) -> dict[str, str]:
    path = draft.edit.guards.partition("::")[0]
    return {path: draft.template.base[path].rstrip("\n") + f"\n\n\n# {draws.choice(LINES)}\n"}


def _path_in(glob: str, package: str, name: str) -> str:
    """Return a Python file that a glob such as `*/tables/**` covers."""
    return glob.replace("*/", f"{package}/", 1).replace("**", f"{name}.py")


def _wanted(org: Org, service: Service) -> Disclosure:
    return settings(bearing(org, service, FAMILY)[0], Disclosure)


def _generated(org: Org, service: Service, template: Template) -> str:
    """Return a glob of generated files that lie in the product's folder, or ""."""
    globs = _wanted(org, service).generated
    package = template.package
    return next((glob for glob in globs if _is_source(template, _path_in(glob, package, "x"), glob)), "")


def _is_source(template: Template, path: str, glob: str) -> bool:
    """Return whether a path is covered, lies one folder deep in the product, and is as much source as what does not."""
    package, _, rest = path.partition("/")
    plain = rest.count("/") == 1 and package == template.package and matches(glob, path)
    return plain and template.surface(path) == template.surface(f"{template.package}/x.py")


def _declares(org: Org, service: Service, template: Template, kind: str, path: str) -> bool:
    """Return whether a kind of change is limited, and covers a path but not the product."""
    globs = _wanted(org, service).kinds.get(kind, ("**",))
    return covered(globs, path) and not covered(globs, f"{template.package}/x.py")


def _has_boxes(org: Org, service: Service, template: Template) -> bool:
    kinds = _wanted(org, service).kinds
    return {"tests", "docs"} <= set(kinds) and _declares(org, service, template, "tests", "tests/test_x.py")


def _has_support(org: Org, service: Service, template: Template) -> bool:
    return _declares(org, service, template, "tests", _path_in(SUPPORT, template.package, "x"))


def _has_generated(org: Org, service: Service, template: Template) -> bool:
    written = RUNBOOK in template.base and bool(_generated(org, service, template))
    return written and _declares(org, service, template, "docs", RUNBOOK)


KIND = Kind(
    name="k35-undisclosed",
    group="C",
    title="A change touches more than it says",
    family=FAMILY,
    variants=(
        Variant("ticked", 1, ("patch",), 1, fits=_has_boxes),
        Variant("support", 2, ("patch", "commits", "log"), 1, fits=_has_support),
        Variant("put-back", 3, ("patch", "commits", "log"), 1, fits=_has_generated),
        Variant("generated", 4, ("patch", "commits", "log"), 1, fits=_has_generated),
    ),
    plant=plant,
)
