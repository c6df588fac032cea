"""The registry records and advisories of what the manifest and the lock already hold; the same in a whole release."""

from releaseops_mcp.world.artefacts import advisory, package
from releaseops_mcp.world.artefacts.advisory import Advisory
from releaseops_mcp.world.artefacts.package import Package
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.changes.stock import in_use, stock_of
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Artefact


def add(draft: Draft, draws: Draws) -> None:
    """Add what can be read about every pinned package of the base tree; it is made up when first read."""
    draft.extras += [_of(name, draft) for name in in_use(draft.template.base)]


def artefact(record: Package, advisories: tuple[Advisory, ...]) -> Artefact:
    """Return a package as something that can be read: its record, then what is known against it."""
    name = record.name
    return Artefact(name, package.FORMAT.tool, lambda: (*package.sheets(record), *advisory.sheets(name, advisories)))


def _of(name: str, draft: Draft) -> Artefact:
    def render():
        stocked = stock_of(draft).every[name]
        return artefact(stocked.package, stocked.advisories).render()

    return Artefact(name, package.FORMAT.tool, render)


ORDINARY = Ordinary(name="packages", order=30, requests=("merge_change",), add=add)
