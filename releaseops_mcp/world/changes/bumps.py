"""Changes of the dependencies alone: what an agent proposes that keeps them up to date."""

import re
from collections.abc import Mapping

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.reach import instead
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.hashing import Tree
from releaseops_mcp.world.rules.pins import LOCK, MANIFEST

TITLES = ("Update dependencies", "Refresh the lock", "Weekly dependency update", "Keep dependencies current")
WHYS = (
    "Picks up what was released since the last update.",
    "Routine update; no code had to change.",
    "So that the next feature starts from current packages.",
)


def alone(draft: Draft, draws: Draws) -> None:
    """Make the proposal a change of the dependencies alone: the edit goes, and title and reason are its own."""
    instead(draft, {}, draws.choice(TITLES), draws.choice(WHYS))


def moved(tree: Tree, manifest: Mapping[str, str], lock: Mapping[str, str]) -> dict[str, str]:
    """Return both files with other specifiers by name in the manifest, and other versions by name in the lock.

    Raises ValueError for a name that the file does not hold.
    """
    specs, versions = tree[MANIFEST], tree[LOCK]
    for name, spec in manifest.items():
        specs = _replaced(specs, MANIFEST, name, r"[=!<>~].*", spec)
    for name, version in lock.items():
        versions = _replaced(versions, LOCK, name, r"==[^\s#]+", f"=={version}")
    return {MANIFEST: specs, LOCK: versions}


def added(tree: Tree, name: str, version: str, place: int) -> dict[str, str]:
    """Return both files with one package more: in the manifest at a place, in the lock where it belongs by name."""
    manifest = tree[MANIFEST][:place] + f"{name}=={version}\n" + tree[MANIFEST][place:]
    if LOCK not in tree:
        return {MANIFEST: manifest}
    lines = sorted([*tree[LOCK].splitlines(), f"{name}=={version}"])
    return {MANIFEST: manifest, LOCK: "\n".join(lines) + "\n"}


def _replaced(text: str, path: str, name: str, old: str, new: str) -> str:
    changed, count = re.subn(rf"^({re.escape(name)}){old}", lambda match: match[1] + new, text, flags=re.MULTILINE)
    if count != 1:
        raise ValueError(f"{path} names {name!r} {count} times; it must name it once")
    return changed
