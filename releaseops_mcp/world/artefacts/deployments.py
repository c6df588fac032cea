"""A service's deployments to production, newest first, as GitHub lists them with their statuses.

The payload names the release and the columns that its code reads: what a migration must not take away from it.
"""

import json
from dataclasses import dataclass
from typing import Any, cast

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic


@dataclass(frozen=True, slots=True)
class Deployment:
    """One deployment."""

    number: int
    release: str
    sha: str
    minute: int
    states: tuple[str, ...]
    """GitHub's words in the order in which they came: `success` then `inactive`, or `failure`."""
    reads: tuple[str, ...]
    """Columns that the release's code reads, as `table.column`."""


@dataclass(frozen=True, slots=True)
class DeploymentRecord(Record):
    """One deployment, as it was read."""

    release: str
    minute: int
    succeeded: bool
    """Whether it was ever live."""
    reads: tuple[str, ...]


def sheets(subject: str, deployments: tuple[Deployment, ...]) -> tuple[Sheet, ...]:
    """Return the pages, each an array of deployments; `subject` is the artefact's id."""
    rows = [
        json.dumps(
            {
                "id": each.number,
                "sha": each.sha,
                "ref": each.release,
                "environment": "production",
                "payload": {"reads": list(each.reads)},
                "created_at": clock.stamp(each.minute),
                "statuses": [{"state": state} for state in each.states],
            }
        )
        for each in deployments
    ]
    topic = Topic(FORMAT.name, subject)
    texts = ["[" + ",\n ".join(page) + "]" for page in grouped(rows)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the deployments; raises ValueError for a text that is no list of them."""
    rows: Any = json.loads(text)
    if not isinstance(rows, list):
        raise ValueError(f"{subject}: not a list of deployments: {text[:60]!r}")
    return tuple(
        DeploymentRecord(
            row["ref"],
            clock.minute_of(row["created_at"]),
            any(status["state"] == "success" for status in row["statuses"]),
            tuple(row["payload"]["reads"]),
        )
        for row in cast("list[Any]", rows)
    )


FORMAT = Format(name="deployments", tool="inspect_deployment", parse=parse, minutes=10)
