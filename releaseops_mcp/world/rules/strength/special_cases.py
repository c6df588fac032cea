"""Special cases: a test's values stand in product code as well, and neighbouring inputs come out wrong."""

import ast
import re

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.artefacts.properties import PropertyRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.rules.strength.demand import NOTHING, Demand, Found, Strength

LITERAL = re.compile(r"(?:\b[rR])?(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?<![\w.])[1-9][\d_]+(?:\.\d+)?(?![\w.])")
"""Strings of any length, raw too, so that none is read from the end of another, and numbers of two digits and more."""
LEAST = 2
"""Characters of a string that says anything."""
REMARK = re.compile(r"\"\"\".*|^\s*#.*|\s#.*")


def find(wanted: Strength, case: Case, view: View) -> Found:
    """Return the product files that know a test's values and of which a property was falsified."""
    patch, report = case.topic("patch", "pr_"), case.topic("properties", "ci_")
    changes = view.records(patch, FileChange)
    tested = {value for change in changes if _is_test(change) for value in _values(_kept(change))}
    suspects = {
        change.path: (change, common)
        for change in changes
        if change.path.endswith(".py") and not _is_test(change)
        if len(common := _values(change.added) & tested) >= wanted.literals
    }
    if not suspects:
        return NOTHING if view.known(patch) else Found(missing=(patch,))
    if not view.known(report):
        return Found(missing=(report,))
    found: list[Demand] = []
    for record in view.records(report, PropertyRecord):
        if not record.holds and record.path in suspects:
            change, common = suspects[record.path]
            grounds = (*view.sources(patch, [change]), *view.sources(report, [record]))
            names = frozenset(word for line in change.added for word in re.findall(r"[a-z_]\w+", line))
            found.append(Demand(grounds, names, frozenset(common)))
    return Found(tuple(found))


def _is_test(change: FileChange) -> bool:
    return change.path.startswith("tests/") and change.path.endswith(".py")


def _kept(change: FileChange) -> list[str]:
    return [line[1:] for line in change.lines if line[:1] in ("+", " ")]


def _values(lines: list[str] | tuple[str, ...]) -> set[str]:
    """Return the literals of some lines, each in its canonical spelling."""
    found = (literal for line in lines for literal in LITERAL.findall(REMARK.sub("", line)))
    values = (ast.literal_eval(literal) for literal in found)
    return {repr(value) for value in values if not isinstance(value, str) or len(value) >= LEAST}
