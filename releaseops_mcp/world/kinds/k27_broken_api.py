"""A change breaks what a released API promises.

Twins: of two numbers the one that is given up is reserved, and the other used; a value that is added instead of moved;
a demand that only a new message makes; another type that is the same on the wire; a field that no release has shipped.
"""

import re
from collections.abc import Iterator

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.deployments import artefact, history
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.protos import Entry, entries
from releaseops_mcp.world.rules.api_compat import Compatibility
from releaseops_mcp.world.templates import Template

FAMILY = "api_compat"
BLOCK = re.compile(r"^(message|enum) (\w+) \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
RESERVED = re.compile(r"^  reserved ([^;]+);$", re.MULTILINE)
DEMAND, OLD = "(buf.validate.field).required = true", "deprecated = true"
WHOLE = ("int32", "int64", "uint32", "uint64")
"""Types that a whole number may have without a change of bytes."""
ZIGZAG = ("sint32", "sint64")
"""Types of whole numbers whose bytes are others."""
PLAIN = ("string", "bool", "double")
"""Types of new fields: no two of them share a wire type."""
MESSAGES = ("Remark", "Receipt", "Marker", "Handover")
FIELDS = ("wording", "page_token", "locale", "source_code", "row_limit")
VALUES = ("PARTIAL", "PAUSED", "EXPIRED", "IN_REVIEW")
REMARKS = ("Final.", "Shown to people.", "Nothing follows it.", "Kept for a month.")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Change the API description in one of five forms."""
    path = path_of(draft.template)
    text = draft.head.tree[path]
    if variant == "unreleased":
        changed = _taken_back(draft, text, fault, draws)
    else:
        changed = CHANGES[variant](text, _old(draft, path), fault, draws)
    draft.amend({path: changed})


def path_of(template: Template) -> str:
    """Return the path of the API description, "" where there is none."""
    return next((path for path in template.base if path.startswith("api/") and path.endswith(".proto")), "")


def _old(draft: Draft, path: str) -> frozenset[str]:
    """Return the names that were there before the change and still are."""
    return frozenset(entry.name for entry in entries(draft.template.base[path].splitlines()))


def _unreserved(text: str, old: frozenset[str], fault: bool, draws: Draws) -> str:
    """Let a field go and a new one come; one number of two is reserved, and the new field has the other."""
    kind = next(match for match in BLOCK.finditer(text) if match[1] == "message" and RESERVED.search(match[3]))
    fields = entries(kind[3].splitlines())
    gone = draws.choice([field for field in fields if field.name in old and not field.since])
    free = max(field.number for field in fields) + draws.integer(1, 3)
    number, kept = (gone.number, free) if fault else (free, gone.number)
    fresh = f"  {draws.choice([each for each in PLAIN if each != gone.type])} {draws.choice(FIELDS)} = {number};\n"
    body = re.sub(rf"^  [^\n]*\b{gone.name} = [^\n]*\n", fresh, kind[3], flags=re.MULTILINE)
    body = RESERVED.sub(lambda match: f"  reserved {match[1]}, {kept};", body, count=1)
    return text.replace(kind[3], body)


def _renumbered(text: str, old: frozenset[str], fault: bool, draws: Draws) -> str:
    """Put a value before the last one of an enum; it takes that one's number, or the next."""
    kind = next(match for match in BLOCK.finditer(text) if match[1] == "enum")
    values = entries(kind[3].splitlines())
    last = max((value for value in values if value.name in old), key=lambda value: value.number)
    free = max(value.number for value in values) + 1
    stem = values[0].name.rpartition("_")[0]
    taken, left = (last.number, free) if fault else (free, last.number)
    lines = f"  {stem}_{draws.choice(VALUES)} = {taken};\n  {last.name} = {left}; // {draws.choice(REMARKS)}\n"
    return re.sub(rf"^  {last.name} = [^\n]*\n", lines, text, flags=re.MULTILINE)


def _demanded(text: str, old: frozenset[str], fault: bool, draws: Draws) -> str:
    """Demand a field: one that callers know already, or one of a message that is new."""
    field = draws.choice([each for each in _fields(text) if each.name in old and not each.since])
    options = [DEMAND, OLD] if fault else [OLD, DEMAND]
    changed = re.sub(rf"^(  [^\n]*\b{field.name} = {field.number});", rf"\1 [{options[0]}];", text, flags=re.MULTILINE)
    added = f"message {draws.choice(MESSAGES)} {{\n  string {draws.choice(FIELDS)} = 1 [{options[1]}];\n}}\n"
    return f"{changed}\n{added}"


def _retyped(text: str, old: frozenset[str], fault: bool, draws: Draws) -> str:
    """Give a number another type, and add a field; the two types change places."""
    kind, field = draws.choice([pair for pair in _numbers(text) if pair[1].name in old])
    same = draws.choice([name for name in WHOLE if name != field.type])
    types = [draws.choice(ZIGZAG), same] if fault else [same, draws.choice(ZIGZAG)]
    free = max(each.number for each in entries(kind.splitlines())) + 1
    body = re.sub(rf"^  {field.type} {field.name} = ", f"  {types[0]} {field.name} = ", kind, flags=re.MULTILINE)
    return text.replace(kind, f"{body}  {types[1]} {draws.choice(FIELDS)} = {free};\n")


CHANGES = {"no-reserve": _unreserved, "renumber": _renumbered, "required": _demanded, "type": _retyped}


def _taken_back(draft: Draft, text: str, fault: bool, draws: Draws) -> str:
    """Take back a field that came with a release; the releases that were live go that far, or not quite."""
    field = draws.choice([each for each in _fields(text) if each.since])
    first, apart = int(field.since.partition(".")[2]), draws.integer(0, 12)
    newest = first + apart if fault else first - 1 - apart
    failed = draws.chance(0.5)
    past = history(draft, draws.child("past"), failed=failed, newest=newest)
    draft.extras = [artefact(each.id, past) if each.id.startswith("dep_") else each for each in draft.extras]
    return re.sub(rf"^  [^\n]*\b{field.name} = [^\n]*\n", "", text, flags=re.MULTILINE)


def _fields(text: str) -> Iterator[Entry]:
    """Yield the fields of the messages whose line can be changed by its name: no other message has one of that name."""
    found = [
        field for match in BLOCK.finditer(text) if match[1] == "message" for field in entries(match[3].splitlines())
    ]
    names = [field.name for field in found]
    yield from (field for field in found if names.count(field.name) == 1)


def _numbers(text: str) -> Iterator[tuple[str, Entry]]:
    for match in BLOCK.finditer(text):
        for field in entries(match[3].splitlines()):
            if match[1] == "message" and field.type in WHOLE:
                yield match[3], field


def _has_reserved(org: Org, service: Service, template: Template) -> bool:
    text = template.base.get(path_of(template), "")
    wanted = _level(org, service).reserve
    return wanted and any(match[1] == "message" and RESERVED.search(match[3]) for match in BLOCK.finditer(text))


def _has_enum(org: Org, service: Service, template: Template) -> bool:
    return any(match[1] == "enum" for match in BLOCK.finditer(template.base.get(path_of(template), "")))


def _has_fields(org: Org, service: Service, template: Template) -> bool:
    return any(_fields(template.base.get(path_of(template), "")))


def _has_numbers(org: Org, service: Service, template: Template) -> bool:
    return _level(org, service).level == "wire" and any(_numbers(template.base.get(path_of(template), "")))


def _has_new(org: Org, service: Service, template: Template) -> bool:
    text = template.base.get(path_of(template), "")
    return _level(org, service).reserve and any(field.since for field in _fields(text))


def _level(org: Org, service: Service) -> Compatibility:
    return Compatibility.model_validate(bearing(org, service, FAMILY)[0].params)


KIND = Kind(
    name="k27-broken-api",
    group="E",
    title="A released API is broken",
    family=FAMILY,
    variants=(
        Variant("no-reserve", depth=1, differs=("patch",), pages=1, fits=_has_reserved),
        Variant("required", depth=1, differs=("patch",), pages=1, fits=_has_fields),
        Variant("renumber", depth=2, differs=("patch",), pages=1, fits=_has_enum),
        Variant("type", depth=2, differs=("patch",), pages=1, fits=_has_numbers),
        Variant("unreleased", depth=3, differs=("deployments",), pages=2, fits=_has_new),
    ),
    plant=plant,
)
