"""A package's registry record, as PyPI's JSON API shows it; a name that nobody has registered answers `Not Found`."""

import json
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic


@dataclass(frozen=True, slots=True)
class ReleaseRecord(Record):
    """One version, with the minute of its upload."""

    version: str
    minute: int
    yanked: bool = False
    """Whether its publisher has withdrawn it; who pins it still gets it."""


@dataclass(frozen=True, slots=True)
class Package:
    """What a registry knows of a name."""

    name: str
    summary: str
    author: str
    """What the publisher wrote; nobody checks it."""
    owner: str
    """The account that may publish."""
    organization: str
    """The organisation that publishes it; "" for a private person."""
    releases: tuple[ReleaseRecord, ...]
    """Oldest first; none for a name that the registry does not know."""


@dataclass(frozen=True, slots=True)
class PackageRecord(Record):
    """The record's head."""

    name: str
    found: bool
    organization: str
    """"" where a private person publishes it, or where there is no such package."""


def sheets(package: Package) -> tuple[Sheet, ...]:
    """Return the one page."""
    document = _document(package) if package.releases else {"message": "Not Found"}
    return (Sheet(Topic(FORMAT.name, package.name), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the record and the releases; raises ValueError for a text that is no answer of a registry."""
    document = json.loads(text)
    if document == {"message": "Not Found"}:
        return (PackageRecord(subject, False, ""),)
    if "info" not in document:
        raise ValueError(f"{subject}: not a registry record: {text[:60]!r}")
    releases = (
        ReleaseRecord(
            version,
            min(clock.minute_of(file["upload_time_iso_8601"]) for file in files),
            all(file["yanked"] for file in files),
        )
        for version, files in document["releases"].items()
        if files
    )
    organization = document["ownership"]["organization"] or ""
    return (PackageRecord(document["info"]["name"], True, organization), *releases)


def _document(package: Package) -> dict[str, Any]:
    return {
        "info": {
            "name": package.name,
            "version": package.releases[-1].version,
            "summary": package.summary,
            "author": package.author,
            "yanked": package.releases[-1].yanked,
        },
        "ownership": {
            "organization": package.organization or None,
            "roles": [{"role": "Owner", "user": package.owner}],
        },
        "releases": {
            release.version: [
                {
                    "upload_time_iso_8601": clock.stamp(release.minute),
                    "yanked": release.yanked,
                }
            ]
            for release in package.releases
        },
        "vulnerabilities": [],
    }


FORMAT = Format(name="package", tool="inspect_dependency", parse=parse, minutes=5)
