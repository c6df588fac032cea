"""The rollout that a ship request asks for, as GitHub shows a deployment: its payload holds the plan.

The steps are those of an Argo Rollouts canary: a weight, then a pause. What a release can go back to, which changes it
holds and which schema it runs on stand there too.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.loading import loaded
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

INCLUDED, DEFERRED = "included", "deferred"
DURATION = re.compile(r"(\d+)(m|h)")
UNITS = {"m": 1, "h": clock.HOUR}
RUNBOOK = "docs/runbook.md"


@dataclass(frozen=True, slots=True)
class Change:
    """One change that was meant for the release."""

    pr: str
    kind: str
    """What it is: `feature`, `reliability`, `security` or `dependency`."""
    state: str
    """INCLUDED or DEFERRED."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """The plan of one rollout; times are minutes."""

    number: int
    release: str
    sha: str
    creator: str
    not_before: int
    """When it may begin at the earliest; where that is past, as soon as it is approved."""
    steps: tuple[tuple[int, int], ...]
    """Weight in percent and how long it is kept."""
    schema: str
    """The number of the last migration that the release needs."""
    changes: tuple[Change, ...]
    previous: str
    """The release that one would go back to."""
    digest: str
    """Of the previous release's image."""
    kept_until: int
    """When the previous release's image is deleted."""
    runbook: str = RUNBOOK
    ticket: str = ""
    """The ticket of an emergency; "" for a usual rollout."""

    @property
    def minutes(self) -> int:
        """How long the rollout takes."""
        return sum(minutes for _, minutes in self.steps)


@dataclass(frozen=True, slots=True)
class RolloutRecord(Record):
    """The plan, as it was read."""

    release: str
    not_before: int
    minutes: int
    schema: str
    kinds: tuple[str, ...]
    """What the included changes are, one entry each."""
    previous: str
    kept_until: int
    runbook: str
    ticket: str

    def begin(self, minute: int) -> int:
        """Return when the rollout begins if it is approved at this minute."""
        return max(minute, self.not_before)


def sheets(subject: str, plan: Rollout) -> tuple[Sheet, ...]:
    """Return the one page; `subject` is the artefact's id."""
    steps: list[dict[str, Any]] = []
    for weight, minutes in plan.steps:
        steps += [{"setWeight": weight}, {"pause": {"duration": f"{minutes}m"}}]
    document = {
        "id": plan.number,
        "sha": plan.sha,
        "ref": plan.release,
        "task": "deploy",
        "environment": "production",
        "creator": {"login": plan.creator},
        "payload": {
            "not_before": clock.stamp(plan.not_before),
            "steps": steps,
            "schema": plan.schema,
            "changes": [{"pr": each.pr, "kind": each.kind, "state": each.state} for each in plan.changes],
            "rollback": {
                "ref": plan.previous,
                "image": {"digest": plan.digest, "expires_at": clock.stamp(plan.kept_until)},
                "runbook": plan.runbook or None,
            },
            "emergency": plan.ticket or None,
        },
    }
    return (Sheet(Topic(FORMAT.name, subject), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the plan; raises ValueError for a text that is no deployment with a plan in its payload."""
    document = loaded(subject, text, "a rollout", "payload")
    payload = document["payload"]
    if "not_before" not in payload:
        raise ValueError(f"{subject}: a deployment without a plan: {text[:60]!r}")
    rollback = payload["rollback"]
    return (
        RolloutRecord(
            release=document["ref"],
            not_before=clock.minute_of(payload["not_before"]),
            minutes=sum(_minutes(step["pause"]["duration"]) for step in payload["steps"] if "pause" in step),
            schema=payload["schema"],
            kinds=tuple(change["kind"] for change in payload["changes"] if change["state"] == INCLUDED),
            previous=rollback["ref"],
            kept_until=clock.minute_of(rollback["image"]["expires_at"]),
            runbook=rollback["runbook"] or "",
            ticket=payload["emergency"] or "",
        ),
    )


def _minutes(duration: str) -> int:
    match = DURATION.fullmatch(duration)
    if match is None:
        raise ValueError(f"not a duration in minutes or hours: {duration!r}")
    return int(match[1]) * UNITS[match[2]]


FORMAT = Format(name="rollout", tool="inspect_deployment", parse=parse, minutes=10)
