"""A service's incidents with what caused them, and who said so, as an incident tracker's API lists them."""

import json
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.loading import loaded_rows
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

CAUSES = ("deploy", "configuration", "capacity", "upstream", "network", "load-test")
"""What an incident may have been caused by."""


@dataclass(frozen=True, slots=True)
class Incident(Record):
    """One incident."""

    id: str
    service: str
    minute: int
    lasted: int
    """Minutes until it was resolved."""
    cause: str
    """One of CAUSES."""
    attributed_by: str
    """Who named the cause."""


def sheets(subject: str, incidents: tuple[Incident, ...]) -> tuple[Sheet, ...]:
    """Return the pages, each an array of incidents; `subject` is the service's name."""
    rows = [
        json.dumps(
            {
                "incident": each.id,
                "status": "resolved",
                "service": each.service,
                "started_at": clock.stamp(each.minute),
                "resolved_at": clock.stamp(each.minute + each.lasted),
                "cause": {"category": each.cause, "attributed_by": each.attributed_by},
            }
        )
        for each in incidents
    ]
    topic = Topic(FORMAT.name, subject)
    texts = ["[" + ",\n ".join(page) + "]" for page in grouped(rows)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the incidents; raises ValueError for a text that is no list of them."""
    return tuple(_incident(row) for row in loaded_rows(subject, text, "a list of incidents", "incident"))


def _incident(row: Any) -> Incident:
    start, end = clock.minute_of(row["started_at"]), clock.minute_of(row["resolved_at"])
    cause = row["cause"]
    return Incident(row["incident"], row["service"], start, end - start, cause["category"], cause["attributed_by"])


FORMAT = Format(name="incidents", tool="inspect_service_health", parse=parse, minutes=5)
