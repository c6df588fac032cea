"""The on-call rota, as PagerDuty's API shows a schedule: a layer, the overrides on top of it, and who acknowledged."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.loading import loaded
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic


@dataclass(frozen=True, slots=True)
class Shift(Record):
    """Somebody is on call from `start` on and before `end`, in minutes."""

    user: str
    start: int
    end: int
    override: bool = False
    """Whether it takes the place of the layer's shift."""


@dataclass(frozen=True, slots=True)
class Acknowledgement(Record):
    """Somebody said that they know of their shifts."""

    user: str
    minute: int


@dataclass(frozen=True, slots=True)
class Rota:
    """The rota of a service."""

    name: str
    shifts: tuple[Shift, ...]
    acknowledgements: tuple[Acknowledgement, ...]


def on_call(shifts: Iterable[Shift], minute: int) -> str:
    """Return who is on call at a minute, an override before the layer; "" for nobody."""
    there = [each for each in shifts if each.start <= minute < each.end]
    return next((each.user for each in sorted(there, key=lambda each: not each.override)), "")


def sheets(subject: str, rota: Rota) -> tuple[Sheet, ...]:
    """Return the one page; `subject` is the artefact's id."""
    entries = {
        override: [
            {"start": clock.stamp(each.start), "end": clock.stamp(each.end), "user": {"summary": each.user}}
            for each in rota.shifts
            if each.override is override
        ]
        for override in (False, True)
    }
    document = {
        "schedule": {
            "name": rota.name,
            "time_zone": "UTC",
            "schedule_layers": [{"rendered_schedule_entries": entries[False]}],
            "overrides_subschedule": {"rendered_schedule_entries": entries[True]},
        },
        "acknowledgements": [
            {"at": clock.stamp(each.minute), "acknowledger": {"summary": each.user}} for each in rota.acknowledgements
        ],
    }
    return (Sheet(Topic(FORMAT.name, subject), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the shifts and the acknowledgements; raises ValueError for a text that is no schedule."""
    document = loaded(subject, text, "a schedule", "schedule")
    schedule = document["schedule"]
    layers = [entry for layer in schedule["schedule_layers"] for entry in layer["rendered_schedule_entries"]]
    overrides = schedule["overrides_subschedule"]["rendered_schedule_entries"]
    return (
        *(_shift(entry, override=False) for entry in layers),
        *(_shift(entry, override=True) for entry in overrides),
        *(
            Acknowledgement(row["acknowledger"]["summary"], clock.minute_of(row["at"]))
            for row in document["acknowledgements"]
        ),
    )


def _shift(entry: Any, *, override: bool) -> Shift:
    start, end = clock.minute_of(entry["start"]), clock.minute_of(entry["end"])
    return Shift(entry["user"]["summary"], start, end, override)


FORMAT = Format(name="rota", tool="inspect_deployment", parse=parse, minutes=5)
