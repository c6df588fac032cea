"""The registry records of what the manifest already holds: long known, and the same in every release."""

import re

from releaseops_mcp.world.artefacts import package
from releaseops_mcp.world.artefacts.package import Package, ReleaseRecord
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Artefact

MANIFEST = "requirements.txt"
TOOLS = ("pytest",)
"""Packages that exist outside this world: nothing is made up about them."""
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+)$", re.MULTILINE)
OWNERS = ("hollis", "marit", "yusuf", "tove", "okafor", "lindqvist", "baptiste", "noor")
SUMMARIES = ("Small and typed.", "One thing, done plainly.", "No dependencies.", "Used where it matters.")


def add(draft: Draft, draws: Draws) -> None:
    """Add a record for every pinned package of the base tree. What a record says hangs on the name alone."""
    for name, version in PINNED.findall(draft.template.base.get(MANIFEST, "")):
        if name not in TOOLS:
            draft.extras.append(artefact(known(name, version)))


def known(name: str, version: str) -> Package:
    """Return a package that has been around for years, its newest release the given version."""
    draws = Draws("package", name, version)
    return aged(name, version, draws.integer(700, 2000), "", draws)


def aged(name: str, version: str, days: int, organization: str, draws: Draws, *, minute: int = 0) -> Package:
    """Return a package whose first release came `days` before a minute; `version` is its newest of two or three."""
    major, minor, _ = (*map(int, version.split(".")), 0)[:3]
    versions = [*(f"{major}.{earlier}.0" for earlier in range(max(0, minor - 2), minor)), version]
    step = days * DAY // len(versions)
    first = minute - days * DAY
    releases = tuple(ReleaseRecord(each, first + step * order) for order, each in enumerate(versions))
    owner = draws.choice(OWNERS)
    return Package(name, draws.choice(SUMMARIES), owner, owner, organization, releases)


def artefact(record: Package) -> Artefact:
    """Return the record as something that can be read."""
    return Artefact(record.name, package.FORMAT.tool, lambda: package.sheets(record))


ORDINARY = Ordinary(name="packages", order=30, requests=("merge_change",), add=add)
