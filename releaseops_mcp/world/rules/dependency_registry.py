"""A package that a change adds must be what it seems: registered, not withdrawn, old enough, no lookalike.

An organisation's trusted publishers are believed, however new or near the name is.
"""

from collections.abc import Iterable

from releaseops_mcp.world.artefacts.package import PackageRecord, ReleaseRecord
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, unknown
from releaseops_mcp.world.rules.dependency_settings import Dependencies
from releaseops_mcp.world.rules.pins import MANIFEST, pins_of

NEAR = 2
"""Edits within which a name is a lookalike."""


def judge(wanted: Dependencies, case: Case, view: View) -> Answer:
    """Violated where the registry shows that an added package is unknown, withdrawn, too new or a lookalike."""
    patch = case.topic("patch", "pr_")
    changes = [change for change in view.records(patch, FileChange) if change.path == MANIFEST]
    pins = pins_of(changes, MANIFEST)
    added = {Topic("package", name): pin.version for name, pin in pins.after.items() if name not in pins.before}
    for topic, version in added.items():
        if view.known(topic) and _is_wrong(topic, version, pins.before, wanted, case, view):
            shown = view.sources(topic, view.records(topic, PackageRecord))
            return Answer("violated", (*view.sources(patch, changes), *shown))
    missing = [topic for topic in added if not view.known(topic)]
    if missing:
        return unknown(*missing)
    return SATISFIED if changes or view.known(patch) else unknown(patch)


def distance(one: str, other: str) -> int:
    """Return the number of letters to insert, drop or replace (Levenshtein)."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        above, row[0] = row[0], count
        for place, wanted in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (letter != wanted))
    return row[-1]


def _is_wrong(topic: Topic, version: str, before: Iterable[str], wanted: Dependencies, case: Case, view: View) -> bool:
    record = next(iter(view.records(topic, PackageRecord)))
    releases = view.records(topic, ReleaseRecord)
    if not record.found or any(release.yanked and release.version == version for release in releases):
        return True
    if record.organization in wanted.trusted:
        return False
    young = case.minute - min(release.minute for release in releases) < wanted.least_days * DAY
    return young or any(distance(topic.subject, name) <= NEAR for name in before)
