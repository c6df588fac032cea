"""What is known against a package: the answer of OSV's query for a package's name, each entry in the OSV schema.

A package without advisories answers `{}`. Severity is GitHub's word, as its own database exports it.
"""

import json
from dataclasses import dataclass
from typing import Any, cast

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.versions import Event, is_affected

SEVERITIES = ("LOW", "MODERATE", "HIGH", "CRITICAL")
"""From the least to the worst."""
PYPI = "PyPI"


@dataclass(frozen=True, slots=True)
class Advisory(Record):
    """One advisory, about one package."""

    id: str
    severity: str
    """One of SEVERITIES."""
    summary: str
    minute: int
    """When it was published."""
    ranges: tuple[tuple[Event, ...], ...]
    versions: tuple[str, ...] = ()
    """Versions that it names one by one."""
    withdrawn: int | None = None
    """When it was taken back, or None."""

    def affects(self, version: str) -> bool:
        """Return whether it counts and covers a version; one that was taken back does not count."""
        if self.withdrawn is not None:
            return False
        return version in self.versions or any(is_affected(version, events) for events in self.ranges)


def sheets(package: str, advisories: tuple[Advisory, ...]) -> tuple[Sheet, ...]:
    """Return the one page."""
    document = {"vulns": [_document(package, each) for each in advisories]} if advisories else {}
    return (Sheet(Topic(FORMAT.name, package), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the advisories; raises ValueError for a text that is no answer of OSV."""
    document: Any = json.loads(text)
    if not isinstance(document, dict) or set(cast("dict[str, Any]", document)) - {"vulns"}:
        raise ValueError(f"{subject}: not an answer of OSV: {text[:60]!r}")
    return tuple(_record(subject, row) for row in cast("dict[str, Any]", document).get("vulns", []))


def _record(subject: str, row: Any) -> Advisory:
    about = [each for each in row["affected"] if each["package"]["name"] == subject]
    return Advisory(
        id=row["id"],
        severity=row["database_specific"]["severity"],
        summary=row["summary"],
        minute=clock.minute_of(row["published"]),
        ranges=tuple(
            tuple(Event(what, version) for event in each["events"] for what, version in event.items())
            for part in about
            for each in part.get("ranges", [])
        ),
        versions=tuple(version for part in about for version in part.get("versions", [])),
        withdrawn=clock.minute_of(row["withdrawn"]) if "withdrawn" in row else None,
    )


def _document(package: str, of: Advisory) -> dict[str, Any]:
    affected: dict[str, Any] = {
        "package": {"ecosystem": PYPI, "name": package},
        "ranges": [
            {"type": "ECOSYSTEM", "events": [{event.what: event.version} for event in events]} for events in of.ranges
        ],
    }
    return {
        "id": of.id,
        "summary": of.summary,
        "published": clock.stamp(of.minute),
        **({} if of.withdrawn is None else {"withdrawn": clock.stamp(of.withdrawn)}),
        "affected": [affected | ({"versions": list(of.versions)} if of.versions else {})],
        "database_specific": {"severity": of.severity},
    }


FORMAT = Format(name="advisory", tool="inspect_dependency", parse=parse, minutes=5)
