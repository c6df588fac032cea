"""What coverage asks for may only rise: the threshold, what is left out of it, and what is marked as not to be covered.

The threshold that counts is the effective one: a number on the command line beats the one in the configuration file.
"""

import re
from collections.abc import Iterable, Iterator

from pydantic import Field

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered, matches
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated

CONFIG = ".coveragerc"
WORKFLOWS = ".github/workflows/*"
THRESHOLD = re.compile(r"^fail_under *= *([\d.]+)")
OVERRIDE = re.compile(r"--(?:cov-)?fail-under[= ]([\d.]+)")
PRAGMA = re.compile(r"# *pragma: *no cover")
TICKET = re.compile(r"ticket_\d+")


class Ratchet(Params):
    """Settings of the family."""

    slack: float = Field(default=0.0, ge=0)
    """By how many points one change may lower the threshold."""
    least: float = Field(default=0.0, ge=0, le=100)
    """Below what the threshold may never be, in percent."""
    may_omit: tuple[str, ...] = ()
    """Paths that a change may leave out of what is covered."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the change lowers the effective threshold, or leaves out what has to be covered."""
    wanted: Ratchet = settings(rule, Ratchet)
    patch = case.topic("patch", "pr_")
    changes = view.records(patch, FileChange)
    # Both sides of a threshold that moves from one file to another must be known.
    lower = _lowering(changes, wanted) if view.known(patch) else []
    guilty = [*lower, *(change for change in changes if change not in lower and _leaves_out(change, wanted))]
    if guilty:
        links = [ticket for change in guilty for line in change.added for ticket in TICKET.findall(line)]
        return violated(view, patch, guilty, links)
    return SATISFIED if view.known(patch) else unknown(patch)


def _lowering(changes: Iterable[FileChange], wanted: Ratchet) -> list[FileChange]:
    """Return the changes that together lower the threshold; none where it stays or rises."""
    config = [change for change in changes if change.path == CONFIG]
    workflows = [change for change in changes if matches(WORKFLOWS, change.path)]
    override = [number for change in workflows for number in _numbers(OVERRIDE, change.added)]
    before = [number for change in config for number in _numbers(THRESHOLD, _side(change, "+"))]
    after = override or [number for change in config for number in _numbers(THRESHOLD, _side(change, "-"))]
    if not override and before == after:
        return []
    was, now = max(before, default=wanted.least), min(after, default=0.0)
    fine = now >= max(was - wanted.slack, wanted.least)
    return [] if fine else [*config, *(change for change in workflows if OVERRIDE.search("\n".join(change.added)))]


def _leaves_out(change: FileChange, wanted: Ratchet) -> bool:
    """Return whether a change takes a path out of what is covered, or marks code that has to be."""
    if change.path == CONFIG:
        return any(not covered(wanted.may_omit, path) for path in _omitted(change))
    if not change.path.endswith(".py") or change.path.startswith("tests/") or covered(wanted.may_omit, change.path):
        return False
    marked, unmarked = (sum(map(_is_marked, lines)) for lines in (change.added, change.removed))
    return marked > unmarked


def _omitted(change: FileChange) -> Iterator[str]:
    """Yield the paths that the change adds to `omit`."""
    key = ""
    for line in change.lines:
        text = line[1:]
        if line.startswith("-") or text.lstrip().startswith(("#", ";")):
            continue
        if not text.startswith((" ", "\t")):
            key, _, text = text.partition("=")
        if key.strip() == "omit" and line.startswith("+") and text.strip():
            yield text.strip()


def _side(change: FileChange, other: str) -> list[str]:
    """Return the lines of the old or the new file, without what only the other one (its sign) has."""
    return [line[1:] for line in change.lines if not line.startswith((other, "@"))]


def _numbers(pattern: re.Pattern[str], lines: Iterable[str]) -> list[float]:
    return [float(number) for line in lines for number in pattern.findall(line)]


def _is_marked(line: str) -> bool:
    return PRAGMA.search(line) is not None


FAMILY = RuleFamily(
    name="coverage_ratchet",
    summary="What coverage asks for may not fall: not its threshold, and not what counts towards it.",
    judge=judge,
    params=Ratchet,
)
