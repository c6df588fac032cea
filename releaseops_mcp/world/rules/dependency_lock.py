"""Manifest and lock agree about what a change moves; what they did not agree about before is not its fault."""

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, unknown, violated
from releaseops_mcp.world.rules.dependency_settings import Dependencies
from releaseops_mcp.world.rules.pins import LOCK, MANIFEST, Pins, pins_of
from releaseops_mcp.world.versions import allows


def judge(wanted: Dependencies, case: Case, view: View) -> Answer:
    """Violated where a package that the change moves in either file is not locked at a version the manifest allows."""
    patch = case.topic("patch", "pr_")
    if not view.known(patch):
        return unknown(patch)
    changes = [change for change in view.records(patch, FileChange) if change.path in (MANIFEST, LOCK)]
    manifest, lock = pins_of(changes, MANIFEST), pins_of(changes, LOCK)
    moved = {*manifest.changed, *(name for name, pin in lock.changed.items() if not pin.via)}
    if any(not _agree(name, manifest, lock) for name in moved):
        return violated(view, patch, changes)
    return SATISFIED


def _agree(name: str, manifest: Pins, lock: Pins) -> bool:
    """Return whether both files show the package, and the locked version is one that the manifest allows."""
    asked, locked = manifest.after.get(name), lock.after.get(name)
    return asked is not None and locked is not None and bool(locked.version) and allows(asked.spec, locked.version)
