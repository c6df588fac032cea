"""Lines of a proto3 file: fields, values of enums, reserved numbers. Enough to compare two versions of an API."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

FIELD = re.compile(
    r"^\s*(?:(?P<label>optional|required|repeated) )?(?P<type>[a-z][\w.]*|[A-Z]\w*|map<[^>]+>) (?P<name>[a-z]\w*)"
    r" = (?P<number>\d+)(?: \[(?P<options>[^\]]*)\])?;(?:\s*// since (?P<since>[\d.]+))?"
)
VALUE = re.compile(r"^\s*(?P<name>[A-Z][A-Z0-9_]*) = (?P<number>\d+)(?: \[(?P<options>[^\]]*)\])?;")
RESERVED = re.compile(r"^\s*reserved (?P<what>[^;]+);")
RANGE = re.compile(r"(\d+)(?: to (\d+))?")
QUOTED = re.compile(r'"(\w+)"')
DEMANDED = re.compile(r"\brequired = true\b")
DEFAULT = re.compile(r"\bdefault = ([^,\]]+)")
SAME_ON_THE_WIRE = (
    frozenset({"int32", "uint32", "int64", "uint64", "bool"}),
    frozenset({"sint32", "sint64"}),
    frozenset({"string", "bytes"}),
    frozenset({"fixed32", "sfixed32"}),
    frozenset({"fixed64", "sfixed64"}),
)
"""Types that may take each other's place on the wire, as protobuf's guide to updating a message type lists them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A field of a message, or a value of an enum (whose `type` is "")."""

    name: str
    number: int
    type: str = ""
    demanded: bool = False
    """Whether a message without it is refused."""
    default: str = ""
    """The default that its options set."""
    since: str = ""
    """The first release that has it, where a remark says so."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """What may never be used again."""

    numbers: frozenset[int]
    names: frozenset[str]


def entries(lines: Iterable[str]) -> tuple[Entry, ...]:
    """Return the fields and values that stand on these lines, in their order."""
    return tuple(entry for line in lines if (entry := _entry(line)) is not None)


def reserved(lines: Iterable[str]) -> Reserved:
    """Return all that these lines reserve."""
    numbers: set[int] = set()
    names: set[str] = set()
    for match in filter(None, map(RESERVED.match, lines)):
        names.update(QUOTED.findall(match["what"]))
        for first, last in RANGE.findall(QUOTED.sub("", match["what"])):
            numbers.update(range(int(first), int(last or first) + 1))
    return Reserved(frozenset(numbers), frozenset(names))


def same_on_the_wire(one: str, other: str) -> bool:
    """Return whether old and new code read each other's bytes when a field changes between two types."""
    return one == other or any({one, other} <= group for group in SAME_ON_THE_WIRE)


def _entry(line: str) -> Entry | None:
    if RESERVED.match(line):
        return None
    if match := VALUE.match(line):
        return Entry(match["name"], int(match["number"]))
    match = FIELD.match(line)
    if match is None:
        return None
    options = match["options"] or ""
    default = DEFAULT.search(options)
    demanded = match["label"] == "required" or DEMANDED.search(options) is not None
    label = "repeated " if match["label"] == "repeated" else ""
    return Entry(
        match["name"],
        int(match["number"]),
        label + match["type"],
        demanded,
        default[1].strip() if default else "",
        match["since"] or "",
    )
