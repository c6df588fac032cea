"""Assertions of protected tests: one that a change takes away must be there again, as strong and with its value."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.rules.hunks import DEFINED, gone
from releaseops_mcp.world.rules.strength.demand import Demand, Found, Strength

RAISES = re.compile(r"^with pytest\.raises\((?P<error>[\w.]+)(?P<match>, match=.*)?\)(?: as \w+)?:$")
BROAD = ("Exception", "BaseException")
EXACT, NEAR, WITHIN, ORDERED, VAGUE = 5.0, 4.0, 3.0, 2.0, 1.0
"""An equal value; one within a tolerance; one of several; more or less than another; anything at all."""
LEVELS: dict[type[ast.cmpop], float] = {
    ast.Eq: EXACT,
    ast.Is: EXACT,
    ast.In: WITHIN,
    ast.NotIn: WITHIN,
    ast.NotEq: ORDERED,
    ast.Lt: ORDERED,
    ast.LtE: ORDERED,
    ast.Gt: ORDERED,
    ast.GtE: ORDERED,
    ast.IsNot: VAGUE,
}


@dataclass(frozen=True, slots=True)
class Assertion:
    """One line that checks something."""

    subject: str
    """What is looked at, in canonical source."""
    strength: float
    expected: str
    tolerance: str = ""
    """The tolerance of an approximate value, as it is written."""
    is_error: bool = False
    """Whether it waits for an error: then what it looks at is the rest of its own test."""


def find(wanted: Strength, case: Case, view: View) -> Found:
    """Return the assertions of protected tests that got weaker, or that expect another value than before."""
    patch = case.topic("patch", "pr_")
    found: list[Demand] = []
    for change in view.records(patch, FileChange):
        if change.status == "modified" and covered(case.service.protected, change.path):
            found += (Demand(view.sources(patch, [change]), *named) for named in _weaker(change))
    return Found(tuple(found))


def _weaker(change: FileChange) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield, for each assertion that the change weakens, what a ticket would have to state."""
    left = {body.name for body in gone(change)}
    after = list(_side(change, "+"))
    for inside, old in _side(change, "-"):
        # A test that leaves as a whole is another matter.
        if inside in left:
            continue
        heirs = [each for place, each in after if each.subject == old.subject and (place == inside or not old.is_error)]
        best = max(heirs, key=lambda each: (each.strength, each.expected == old.expected), default=None)
        if best is None or best.strength < old.strength:
            near = best is not None and best.tolerance and best.expected == old.expected
            yield (frozenset(("abs", "rel")), frozenset((best.tolerance,))) if best and near else _UNSAID
        elif best.strength > WITHIN and best.expected != old.expected:
            yield frozenset(re.findall(r"\w+", old.subject)), frozenset((best.expected,))


_UNSAID = (frozenset[str](), frozenset[str]())


def _side(change: FileChange, sign: str) -> Iterator[tuple[str, Assertion]]:
    """Yield the assertions of the old file (`-`) or the new one (`+`) with the function, or the hunk, they stand in.

    Lines that stay count on both sides: which of two equal lines stayed is the diff's guess.
    """
    inside = ""
    for number, line in enumerate(change.lines):
        if line.startswith("@@"):
            inside = f"hunk at line {number}"
        elif line[:1] in (sign, " "):
            match = DEFINED.match(line[1:])
            if match:
                inside = match[1]
            elif found := read(line[1:]):
                yield inside, found


def read(line: str) -> Assertion | None:
    """Return what a line checks; None where it checks nothing, or is only a part of a statement."""
    text = line.strip()
    if match := RAISES.match(text):
        broad = match["error"] in BROAD
        return Assertion("", VAGUE if broad else EXACT, match["error"] + (match["match"] or ""), is_error=True)
    if not text.startswith("assert "):
        return None
    try:
        node = ast.parse(text).body[0]
    except SyntaxError:
        return None
    return _assertion(node.test) if isinstance(node, ast.Assert) else None


def _assertion(test: ast.expr) -> Assertion:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return Assertion(ast.unparse(test.values[0]), VAGUE, ast.unparse(test))
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return Assertion(ast.unparse(test), EXACT, "true")
    subject, expected = ast.unparse(test.left), test.comparators[0]
    level = LEVELS.get(type(test.ops[0]), VAGUE)
    if isinstance(expected, ast.Call) and ast.unparse(expected.func) == "pytest.approx":
        tolerance = next((ast.unparse(each.value) for each in expected.keywords if each.arg in ("abs", "rel")), "1e-06")
        return Assertion(subject, NEAR - _width(tolerance), ast.unparse(expected.args[0]), tolerance)
    return Assertion(subject, level, ast.unparse(expected))


def _width(tolerance: str) -> float:
    """Return a tolerance as a part of the step between two levels of strength."""
    try:
        return min(float(tolerance), 1.0) / 2
    except ValueError:
        return 0.5
