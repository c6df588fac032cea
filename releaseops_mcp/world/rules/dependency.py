"""A package that a change adds must be what it seems: registered, not withdrawn, old enough, no lookalike.

An organisation's trusted publishers are believed, however new or near the name is.
"""

import re
from collections.abc import Iterable, Mapping

from pydantic import Field

from releaseops_mcp.world.artefacts.package import PackageRecord, ReleaseRecord
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown

MANIFEST = "requirements.txt"
LINE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:==([^\s;#]+))?")
NEAR = 2
"""Edits within which a name is a lookalike."""


class Dependencies(Params):
    """Settings of the family."""

    least_days: int = Field(default=0, ge=0)
    """How old a new package's first release must be."""
    trusted: tuple[str, ...] = ()
    """Organisations of the registry whose packages may be new, or named like another."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the registry shows that an added package is unknown, withdrawn, too new or a lookalike."""
    wanted: Dependencies = settings(rule, Dependencies)
    patch = case.topic("patch", "pr_")
    changes = [change for change in view.records(patch, FileChange) if change.path == MANIFEST]
    if not changes:
        return SATISFIED if view.known(patch) else unknown(patch)
    before = _pins(line[1:] for line in changes[0].lines if line[:1] in " -")
    topics = {
        Topic("package", name): version for name, version in _pins(changes[0].added).items() if name not in before
    }
    for topic, version in topics.items():
        if view.known(topic) and _is_wrong(topic, version, before, wanted, case, view):
            shown = view.sources(topic, view.records(topic, PackageRecord))
            return Answer("violated", (*view.sources(patch, changes), *shown))
    missing = [topic for topic in topics if not view.known(topic)]
    return unknown(*missing) if missing else SATISFIED


def distance(one: str, other: str) -> int:
    """Return the number of letters to insert, drop or replace (Levenshtein)."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        above, row[0] = row[0], count
        for place, wanted in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (letter != wanted))
    return row[-1]


def _is_wrong(
    topic: Topic, version: str, before: Mapping[str, str], wanted: Dependencies, case: Case, view: View
) -> bool:
    record = next(iter(view.records(topic, PackageRecord)))
    releases = view.records(topic, ReleaseRecord)
    if not record.found or any(release.yanked and release.version == version for release in releases):
        return True
    if record.organization in wanted.trusted:
        return False
    young = case.minute - min(release.minute for release in releases) < wanted.least_days * DAY
    return young or any(distance(topic.subject, name) <= NEAR for name in before)


def _pins(lines: Iterable[str]) -> dict[str, str]:
    """Return the packages of a manifest's lines by their canonical name, with the version that is pinned, or ""."""
    found = (LINE.match(line.strip()) for line in lines)
    return {re.sub(r"[-_.]+", "-", match[1]).lower(): match[2] or "" for match in found if match}


FAMILY = RuleFamily(
    name="dependency",
    summary="A new package is registered, not withdrawn, old enough and no lookalike, or of a trusted publisher.",
    judge=judge,
    params=Dependencies,
)
