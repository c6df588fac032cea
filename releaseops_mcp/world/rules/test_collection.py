"""What ran before must still run: a protected test that leaves the suite counts, by whatever way it leaves.

The ways: its function or file goes, its file gets a name that pytest does not look at, a conftest leaves it out, a
workflow's command no longer reaches it. A test that lives on elsewhere has not left, and one may go with its product.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from releaseops_mcp.world.artefacts.junit import CaseRecord, Totals
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered, matches
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown
from releaseops_mcp.world.rules.hunks import TEST, Body, bodies, gone, renamed

CONFIGURES = re.compile(r"\bpytest\b(?!==)|collect_ignore|testpaths|python_files|norecursedirs")
"""What a line says that decides which files are looked at."""
SETTINGS = (".github/workflows/*", "conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "Makefile")
DESELECTED = re.compile(r"--deselect[= ](\S+)")


class Collection(Params):
    """Settings of the family."""

    elsewhere: bool = True
    """Whether a test that runs under another path or name counts as kept."""
    with_product: bool = True
    """Whether a test may go together with the product code that it called."""


class Left(NamedTuple):
    """A protected test, or a whole file of them, that the change may have put out of the suite."""

    change: FileChange
    path: str
    body: Body | None
    """The test's function; None for the whole file."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a protected test leaves the suite and the report shows it nowhere else."""
    wanted: Collection = settings(rule, Collection)
    patch, report = case.topic("patch", "pr_"), case.topic("junit", "ci_")
    changes = view.records(patch, FileChange)
    elsewhere = {change.source or change.path for change in changes if change.status in ("renamed", "deleted")}
    left = [
        each
        for change in changes
        for each in _left(change, case.service.protected)
        # What became of a file that is gone is told by its own diff.
        if each.body or change.status == "renamed" or each.path not in elsewhere
    ]
    if not left:
        return SATISFIED if view.known(patch) else unknown(patch)
    missing = [topic for topic in (patch, report) if not view.known(topic)]
    if missing:
        return unknown(*missing)
    ran = [record.id for record in view.records(report, CaseRecord)]
    lost = [each.change for each in left if not _lives(each, changes, ran, wanted)]
    if not lost:
        return SATISFIED
    totals = view.sources(report, view.records(report, Totals))
    return Answer("violated", (*view.sources(patch, lost), *totals[:1]))


def _left(change: FileChange, protected: tuple[str, ...]) -> Iterator[Left]:
    """Yield what a file's diff may put out of the suite."""
    if change.status == "renamed":
        if covered(protected, change.source):
            yield Left(change, change.path, None)
    elif any(matches(each, change.path) for each in SETTINGS):
        if any(map(CONFIGURES.search, (*change.added, *change.removed))):
            yield from (Left(change, each, None) for each in protected if _is_tests(each))
            yield from _deselected(change, protected)
    elif covered(protected, change.path):
        yield from (Left(change, change.path, body) for body in gone(change) if body.name.startswith(TEST))


def _is_tests(path: str) -> bool:
    return path.rpartition("/")[2].removesuffix(".py").startswith(TEST) or path.endswith(("/*", "/**"))


def _deselected(change: FileChange, protected: tuple[str, ...]) -> Iterator[Left]:
    for line in change.added:
        for test in DESELECTED.findall(line):
            path, _, name = test.partition("::")
            if covered(protected, path):
                yield Left(change, path, Body(name, ()))


def _lives(left: Left, changes: Iterable[FileChange], ran: list[str], wanted: Collection) -> bool:
    """Return whether what left one place is found in the report, or went with the product."""
    if left.body is None:
        return any(matches(left.path, test.partition("::")[0]) for test in ran)
    name = left.body.name
    if f"{left.path}::{name}" in ran:
        return True
    names = Counter(test.rpartition("::")[2] for test in ran)
    if wanted.elsewhere and not names.keys().isdisjoint(_heirs(left, left.body, changes, names)):
        return True
    return wanted.with_product and bool(left.body.calls & _removed_product(changes))


def _heirs(left: Left, body: Body, changes: Iterable[FileChange], names: Counter[str]) -> set[str]:
    """Return the names under which a test may live on: its own, its new one, and those that check all it checked.

    A test that was there before is nobody's heir: one that moves leaves another place, a copy runs twice.
    """
    found = {body.name, renamed(left.change).get(body.name, body.name)}
    if body.checks:
        old = {each.name for change in changes for each in bodies(change, "-")}
        old |= {name for name, count in names.items() if count > 1}
        new = (each for change in changes for each in bodies(change, "+") if each.name not in old)
        found |= {each.name for each in new if body.checks <= each.checks}
    return found


def _removed_product(changes: Iterable[FileChange]) -> set[str]:
    """Return the functions and classes that leave the product: not those that only move to another file of it."""
    product = [change for change in changes if not change.path.startswith("tests/")]
    came = {body.name for change in product for body in bodies(change, "+")}
    return {body.name for change in product for body in gone(change)} - came


FAMILY = RuleFamily(
    name="test_collection",
    summary="A protected test that ran before the change still runs, under this name or another.",
    judge=judge,
    params=Collection,
)
