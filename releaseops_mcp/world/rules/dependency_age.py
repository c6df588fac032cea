"""An update must have been out for some days before it is taken: most bad releases are found and withdrawn by then."""

from releaseops_mcp.world.artefacts.advisory import Advisory
from releaseops_mcp.world.artefacts.package import PackageRecord, ReleaseRecord
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.evidence.sheet import Record, Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, unknown
from releaseops_mcp.world.rules.dependency_settings import Dependencies
from releaseops_mcp.world.rules.pins import MANIFEST, pins_of


def judge(wanted: Dependencies, case: Case, view: View) -> Answer:
    """Violated where a package of the manifest moves to a version that is too young and no exempt fix."""
    patch = case.topic("patch", "pr_")
    changes = [change for change in view.records(patch, FileChange) if change.path == MANIFEST]
    pins = pins_of(changes, MANIFEST)
    missing: list[Topic] = []
    for name, pin in pins.moved.items():
        record, advisory = Topic("package", name), Topic("advisory", name)
        if not view.known(record):
            missing.append(record)
        elif pin.version and _is_young(record, pin.version, wanted, case, view):
            shown: tuple[Record, ...] = view.records(advisory, Advisory)
            if not wanted.fixes_exempt or (
                view.known(advisory) and not _is_fix(advisory, pins.before[name].version, pin.version, view)
            ):
                heads = view.records(record, PackageRecord)
                grounds = (*view.sources(patch, changes), *view.sources(record, heads), *view.sources(advisory, shown))
                return Answer("violated", grounds)
            missing += [] if view.known(advisory) else [advisory]
    if missing:
        return unknown(*missing)
    return SATISFIED if changes or view.known(patch) else unknown(patch)


def _is_young(topic: Topic, version: str, wanted: Dependencies, case: Case, view: View) -> bool:
    """Return whether a version came too lately; one that the registry does not have is not there at all."""
    if any(record.organization in wanted.trusted for record in view.records(topic, PackageRecord)):
        return False
    released = (release.minute for release in view.records(topic, ReleaseRecord) if release.version == version)
    return case.minute - next(released, case.minute) < wanted.least_days * DAY


def _is_fix(topic: Topic, old: str, new: str, view: View) -> bool:
    """Return whether an advisory covers the version that is left behind, and not the one that is taken."""
    return any(old and each.affects(old) and not each.affects(new) for each in view.records(topic, Advisory))
