"""No version that a change brings in may have a known advisory that weighs enough and that ships."""

from collections.abc import Iterator

from releaseops_mcp.world.artefacts.advisory import SEVERITIES, Advisory
from releaseops_mcp.world.artefacts.patch import FileChange, PatchHead
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, unknown
from releaseops_mcp.world.rules.dependency_settings import Dependencies
from releaseops_mcp.world.rules.pins import LOCK, MANIFEST, Pin, pins_of, tickets_of


def judge(wanted: Dependencies, case: Case, view: View) -> Answer:
    """Violated where an advisory covers a version that the manifest or the lock moves to."""
    patch = case.topic("patch", "pr_")
    changes = [change for change in view.records(patch, FileChange) if change.path in (MANIFEST, LOCK)]
    topics: dict[Topic, set[str]] = {}
    for name, version in _shipped(changes, wanted):
        topics.setdefault(Topic("advisory", name), set()).add(version)
    least = SEVERITIES.index(wanted.least)
    for topic, versions in topics.items():
        hits = [
            each
            for each in view.records(topic, Advisory)
            if SEVERITIES.index(each.severity) >= least and any(map(each.affects, versions))
        ]
        if hits:
            links = tickets_of(view.records(patch, PatchHead), changes)
            grounds = (*view.sources(patch, changes), *view.sources(topic, hits))
            return Answer("violated", grounds, links=tuple(dict.fromkeys(links)))
    if not view.known(patch):
        return unknown(patch)
    missing = [topic for topic in topics if not view.known(topic)]
    return unknown(*missing) if missing else SATISFIED


def _shipped(changes: list[FileChange], wanted: Dependencies) -> Iterator[tuple[str, str]]:
    """Yield the packages that the change brings in and that ship, each with its version."""
    for path in (MANIFEST, LOCK):
        for name, pin in pins_of(changes, path).changed.items():
            if pin.version and name not in wanted.tools and not _is_left_out(pin, wanted):
                yield name, pin.version


def _is_left_out(pin: Pin, wanted: Dependencies) -> bool:
    return bool(pin.via) and (not wanted.transitive or set(pin.via) <= set(wanted.tools))
