"""Rollback drills, newest first: who went back from which release to which, on which schema, and how it went."""

import json
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.loading import loaded_rows
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

EXECUTED, AUTOMATIC, TABLETOP = "executed", "automatic", "tabletop"
REAL = (EXECUTED, AUTOMATIC)
"""Forms in which a release really went back: by hand in staging, or by itself in production."""


@dataclass(frozen=True, slots=True)
class Drill(Record):
    """One drill."""

    id: str
    service: str
    mode: str
    """EXECUTED, AUTOMATIC, or TABLETOP: talked through."""
    schema: str
    """The number of the last migration that the database had."""
    old: str
    """The release that was gone back to."""
    new: str
    """The release that was gone back from."""
    minute: int
    outcome: str
    """`succeeded` or `failed`."""


def sheets(subject: str, drills: tuple[Drill, ...]) -> tuple[Sheet, ...]:
    """Return the pages, each an array of drills; `subject` is the artefact's id."""
    rows = [
        json.dumps(
            {
                "drill": each.id,
                "service": each.service,
                "mode": each.mode,
                "schema": each.schema,
                "from": each.new,
                "to": each.old,
                "finished_at": clock.stamp(each.minute),
                "outcome": each.outcome,
            }
        )
        for each in drills
    ]
    topic = Topic(FORMAT.name, subject)
    texts = ["[" + ",\n ".join(page) + "]" for page in grouped(rows)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the drills; raises ValueError for a text that is no list of them."""
    return tuple(
        Drill(
            row["drill"],
            row["service"],
            row["mode"],
            row["schema"],
            row["to"],
            row["from"],
            clock.minute_of(row["finished_at"]),
            row["outcome"],
        )
        for row in loaded_rows(subject, text, "a list of drills", "drill")
    )


FORMAT = Format(name="drills", tool="inspect_deployment", parse=parse, minutes=5)
