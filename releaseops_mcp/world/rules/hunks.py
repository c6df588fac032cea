"""Reading diffs of Python: which functions a change takes out, puts in or renames, and which lines were theirs."""

import re
from dataclasses import dataclass, field

from releaseops_mcp.world.artefacts.patch import FileChange

DEFINED = re.compile(r"^\s*(?:async )?(?:def|class) (\w+)")
CALLED = re.compile(r"\b([A-Za-z_]\w*)\(")
TEST = "test_"


@dataclass(frozen=True, slots=True)
class Body:
    """A function as far as a diff shows it: its lines of one sign."""

    name: str
    lines: tuple[str, ...]

    @property
    def checks(self) -> frozenset[str]:
        """Its assertions, without the space around them."""
        words = ("assert ", "with pytest.raises(")
        return frozenset(line.strip() for line in self.lines if line.strip().startswith(words))

    @property
    def calls(self) -> frozenset[str]:
        """The names that it calls."""
        return frozenset(name for line in self.lines for name in CALLED.findall(line))


@dataclass(slots=True)
class _Open:
    name: str
    lines: list[str] = field(default_factory=list[str])


def bodies(change: FileChange, sign: str) -> tuple[Body, ...]:
    """Return the functions and classes whose `def` or `class` line has this sign in a file's diff, with such lines."""
    found: list[_Open] = []
    inside = False
    for line in change.lines:
        match = DEFINED.match(line[1:])
        if line.startswith("@@"):
            inside = False
        elif match:
            inside = line.startswith(sign)
            if inside:
                found.append(_Open(match[1]))
        elif inside and line.startswith(sign):
            found[-1].lines.append(line[1:])
    return tuple(Body(each.name, tuple(each.lines)) for each in found)


def gone(change: FileChange) -> tuple[Body, ...]:
    """Return the functions and classes that a diff takes out of a file for good."""
    kept = {body.name for body in bodies(change, "+")}
    return tuple(body for body in bodies(change, "-") if body.name not in kept)


def renamed(change: FileChange) -> dict[str, str]:
    """Return new names by old ones: a `def` line that another one replaces in place."""
    pairs: dict[str, str] = {}
    for before, after in zip(change.lines, change.lines[1:], strict=False):
        old, new = DEFINED.match(before[1:]), DEFINED.match(after[1:])
        if old and new and (before[0], after[0]) == ("-", "+"):
            pairs[old[1]] = new[1]
    return pairs
