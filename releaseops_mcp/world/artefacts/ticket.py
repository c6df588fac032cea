"""A ticket with its history, as GitHub's REST API shows an issue and its timeline."""

import json
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import Ticket


@dataclass(frozen=True, slots=True)
class TicketRecord(Record):
    """What the ticket says of itself."""

    state: str
    title: str
    component: str
    reporter: str
    labels: tuple[str, ...]
    body: str


@dataclass(frozen=True, slots=True)
class TicketEventRecord(Record):
    """One entry of its history."""

    event: str
    actor: str
    minute: int
    label: str


def sheets(ticket: Ticket) -> tuple[Sheet, ...]:
    """Return the one page."""
    document = {
        "number": int(ticket.id.rpartition("_")[2]),
        "title": ticket.title,
        "state": ticket.state,
        "user": {"login": ticket.reporter},
        "labels": [{"name": label} for label in ticket.labels],
        "component": ticket.component,
        "created_at": clock.stamp(ticket.minute),
        "body": ticket.body,
        "timeline": [
            {"event": event.event, "actor": {"login": event.actor}, "created_at": clock.stamp(event.minute)}
            | ({"label": {"name": event.label}} if event.label else {})
            for event in ticket.events
        ],
    }
    return (Sheet(Topic(FORMAT.name, ticket.id), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the ticket and its history."""
    document = json.loads(text)
    record = TicketRecord(
        document["state"],
        document["title"],
        document["component"],
        document["user"]["login"],
        tuple(label["name"] for label in document["labels"]),
        document["body"],
    )
    events = (
        TicketEventRecord(
            row["event"],
            row["actor"]["login"],
            clock.minute_of(row["created_at"]),
            row.get("label", {}).get("name", ""),
        )
        for row in document["timeline"]
    )
    return (record, *events)


FORMAT = Format(name="ticket", tool="inspect_ticket", parse=parse, minutes=5)
