"""A change may not break who uses the API: what is on the wire keeps its number, its type and its meaning.

What no release has shipped yet may still be taken back.
"""

from collections.abc import Iterator
from typing import Literal

from releaseops_mcp.world.artefacts.deployments import DeploymentRecord
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.protos import Entry, entries, reserved, same_on_the_wire
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated


class Compatibility(Params):
    """Settings of the family."""

    level: Literal["wire", "source"] = "source"
    """`wire`: old and new read each other's bytes. `source`: code that was written against the old file builds too."""
    reserve: bool = True
    """Whether the number of what is taken away must be reserved."""
    stable: tuple[str, ...] = ("api/**",)
    """Paths of the files that are promised; others may change at will."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the shown patch breaks an entry of a promised file, and a release has shipped it."""
    wanted: Compatibility = settings(rule, Compatibility)
    patch, topic = case.topic("patch", "pr_"), case.topic("deployments", "dep_")
    shown = [change for change in view.records(patch, FileChange) if change.path.endswith(".proto")]
    changes = [change for change in shown if covered(wanted.stable, change.path) and change.status != "added"]
    found = [(change, entry) for change in changes for entry in _broken(change, wanted)]
    certain = [change for change, entry in found if not entry.since]
    if certain:
        return violated(view, patch, certain)
    if found and not view.known(topic):
        return unknown(topic)
    live = [each for each in view.records(topic, DeploymentRecord) if each.succeeded]
    newest = max(live, key=lambda each: _order(each.release), default=None)
    shipped = [change for change, entry in found if newest and _order(newest.release) >= _order(entry.since)]
    if newest and shipped:
        return Answer("violated", (*view.sources(patch, shipped), *view.sources(topic, [newest])))
    return SATISFIED if view.known(patch) else unknown(patch)


def _broken(change: FileChange, wanted: Compatibility) -> Iterator[Entry]:
    """Yield the old entries that the change breaks."""
    added = {entry.name: entry for entry in entries(change.added)}
    kept = reserved(line[1:] for line in change.lines if line[:1] in "+ ")
    names = {entry.name for entry in entries(change.removed)}
    for hunk in _hunks(change):
        fresh = [entry for entry in entries(line[1:] for line in hunk if line[:1] == "+") if entry.name not in names]
        for old in entries(line[1:] for line in hunk if line[:1] == "-"):
            new = added.get(old.name)
            # What takes over a number and a type in the same place has only been given another name.
            renamed = any((each.number, each.type) == (old.number, old.type) for each in fresh)
            if new is not None:
                is_broken = _differs(old, new, wanted)
            elif renamed:
                is_broken = wanted.level == "source"
            else:
                is_broken = wanted.reserve and old.number not in kept.numbers
            if is_broken:
                yield old


def _hunks(change: FileChange) -> Iterator[tuple[str, ...]]:
    starts = [place for place, line in enumerate(change.lines) if line.startswith("@@")]
    for start, end in zip(starts, [*starts[1:], len(change.lines)], strict=True):
        yield change.lines[start + 1 : end]


def _differs(old: Entry, new: Entry, wanted: Compatibility) -> bool:
    if old.number != new.number or (new.demanded and not old.demanded):
        return True
    if wanted.level == "source":
        return old.type != new.type or old.default != new.default
    return not same_on_the_wire(old.type, new.type)


def _order(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))


FAMILY = RuleFamily(
    name="api_compat",
    summary="No change breaks what a released API promises.",
    judge=judge,
    params=Compatibility,
)
