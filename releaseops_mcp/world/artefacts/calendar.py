"""The change calendar, as Google Calendar's API lists events: dated freezes, each in the local time of who set it."""

import json
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.loading import loaded
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

CONFIRMED, CANCELLED = "confirmed", "cancelled"


@dataclass(frozen=True, slots=True)
class Freeze:
    """One entry: from `start` on and before `end`, in minutes."""

    summary: str
    start: int
    end: int
    offset: int
    """Hours that local time is ahead of UTC."""
    service: str
    status: str = CONFIRMED


@dataclass(frozen=True, slots=True)
class FreezeRecord(Record):
    """One entry, as it was read."""

    service: str
    start: int
    end: int
    status: str

    def covers(self, service: str, begin: int, end: int) -> bool:
        """Return whether the entry denies a change of a service that lasts from `begin` to `end`."""
        return self.status == CONFIRMED and self.service == service and self.start < end and begin < self.end


def sheets(subject: str, freezes: tuple[Freeze, ...]) -> tuple[Sheet, ...]:
    """Return the pages, each a list of events; `subject` is the artefact's id."""
    rows = [
        json.dumps(
            {
                "status": each.status,
                "summary": each.summary,
                "start": {"dateTime": _local(each.start, each.offset)},
                "end": {"dateTime": _local(each.end, each.offset)},
                "extendedProperties": {"shared": {"service": each.service}},
            }
        )
        for each in freezes
    ]
    topic = Topic(FORMAT.name, subject)
    texts = ['{"items": [' + ",\n ".join(page) + "]}" for page in grouped(rows)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the entries; raises ValueError for a text that is no list of events."""
    items = loaded(subject, text, "a list of calendar events", "items")["items"]
    return tuple(
        FreezeRecord(
            item["extendedProperties"]["shared"]["service"],
            clock.minute_of(item["start"]["dateTime"]),
            clock.minute_of(item["end"]["dateTime"]),
            item["status"],
        )
        for item in items
    )


def _local(minute: int, offset: int) -> str:
    """Return a time as RFC 3339 writes it in a zone, such as `2026-03-06T15:00:00-05:00`."""
    digits = clock.stamp(minute + offset * clock.HOUR).removesuffix("Z")
    return f"{digits}{'-' if offset < 0 else '+'}{abs(offset):02d}:00"


FORMAT = Format(name="calendar", tool="inspect_deployment", parse=parse, minutes=5)
