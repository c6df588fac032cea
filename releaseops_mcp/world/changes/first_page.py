"""Which files of a change are shown on the first page of its patch: where a shallow tell should stand."""

from releaseops_mcp.world.artefacts.patch import file_diff
from releaseops_mcp.world.artefacts.registry import PAGE
from releaseops_mcp.world.hashing import Tree


def shows(base: Tree, head: Tree, path: str) -> bool:
    """Return whether the first page of a patch shows a file; no file may be renamed before it."""
    before = [each for each in sorted({*base, *head}) if base.get(each) != head.get(each) and each <= path]
    return sum(len(file_diff(each, base.get(each), head.get(each))) for each in before) <= PAGE
