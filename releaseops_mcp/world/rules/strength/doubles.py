"""Doubles: a new test that brings stand-ins along must still enter the code that the change touches.

One that enters other product code is about that.
"""

import re
import sys
from collections.abc import Iterator

from releaseops_mcp.world.artefacts.lcov import FunctionHits
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.rules.hunks import TEST, bodies
from releaseops_mcp.world.rules.strength.demand import NOTHING, Demand, Found, Strength

STANDS_IN = re.compile(r"\bmock\b|\bmonkeypatch\b|\bpatch\(")
IMPORT = re.compile(r"^(?:from|import) (\w+)")
HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
USUAL = frozenset((*sys.stdlib_module_names, "pytest"))


def find(wanted: Strength, case: Case, view: View) -> Found:
    """Return the new tests that use a stand-in and enter nothing of what the change touches."""
    patch, coverage = case.topic("patch", "pr_"), case.topic("lcov", "ci_")
    changes = view.records(patch, FileChange)
    suspects = [(change, names) for change in changes if (names := _with_stand_ins(change, changes))]
    if not suspects:
        return NOTHING
    product = {change.path: _lines(change) for change in changes if _is_product(change)}
    if not view.known(patch) or (product and not view.known(coverage)):
        return Found(missing=tuple(topic for topic in (patch, coverage) if not view.known(topic)))
    hits = view.records(coverage, FunctionHits)
    touched = set(_touched(product, hits))
    found: list[Demand] = []
    for change, names in suspects:
        for name in names:
            own = [each for each in hits if each.test == name and (each.path, each.function) in touched]
            elsewhere = any(each.hits for each in hits if each.test == name and each.path not in product)
            if own and not elsewhere and not any(each.hits for each in own):
                found.append(Demand((*view.sources(patch, [change]), *view.sources(coverage, own))))
    return Found(tuple(found))


def _with_stand_ins(change: FileChange, changes: tuple[FileChange, ...]) -> list[str]:
    """Return the tests that a test file's diff adds, where it brings stand-ins along."""
    if not change.path.startswith("tests/") or not change.path.endswith(".py"):
        return []
    packages = {each.path.partition("/")[0] for each in changes}
    brings = any(STANDS_IN.search(line) or _is_foreign(line, packages) for line in change.added)
    return [body.name for body in bodies(change, "+") if body.name.startswith(TEST)] if brings else []


def _is_foreign(line: str, packages: set[str]) -> bool:
    """Return whether a line imports something that is neither the product nor a usual library: code of the tests."""
    match = IMPORT.match(line)
    return match is not None and match[1] not in USUAL | packages


def _is_product(change: FileChange) -> bool:
    return change.path.endswith(".py") and not change.path.startswith("tests/")


def _lines(change: FileChange) -> set[int]:
    """Return the numbers of the new file's lines that the diff adds, or beside which it takes lines away.

    A line that differs in its remark alone is none of them.
    """
    same = set(map(_code, change.added)) & set(map(_code, change.removed))
    found: set[int] = set()
    number = 0
    for line in change.lines:
        if match := HUNK.match(line):
            number = int(match[1]) - 1
            continue
        number += not line.startswith("-")
        if not line.startswith(" ") and _code(line[1:]) not in same:
            found.add(number)
    return found


def _code(line: str) -> str:
    return line.partition("  # ")[0]


def _touched(product: dict[str, set[int]], hits: tuple[FunctionHits, ...]) -> Iterator[tuple[str, str]]:
    """Yield the functions that hold changed lines; all of a file's where the change lies between them."""
    for path, lines in product.items():
        own = [each for each in hits if each.path == path]
        inside = [each for each in own if any(each.first <= line <= each.last for line in lines)]
        yield from ((path, each.function) for each in inside or own)
