"""One past decision, and the line of the log that tells it."""

import json
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world import clock
from releaseops_mcp.world.policy import APPROVE, BLOCK, HOLD

WORDS = {APPROVE: "approved", HOLD: "held", BLOCK: "blocked"}
VERDICTS = {word: verdict for verdict, word in WORDS.items()}
Facts = dict[str, Any]
"""What a precedent tells, as JSON."""


@dataclass(frozen=True)
class Past:
    """A past proposal: what it asked for, and the facts that were looked at. Everything else was in order."""

    minute: int
    """When it was decided; negative before the release's week."""
    request: str
    service: str
    worker: str
    touches: tuple[str, ...]
    subject: str
    """A file of `subjects/`."""
    facts: Facts


@dataclass(frozen=True)
class Precedent:
    """A past proposal with what became of it."""

    past: Past
    decision: str
    """`approve`, `hold` or `block`."""
    family: str
    """The rule family that was named as the reason, or ""."""


def line(precedent: Precedent) -> str:
    """Return the line of the log that tells a precedent."""
    past = precedent.past
    entry = {
        "decided": clock.stamp(past.minute),
        "request": past.request,
        "service": past.service,
        "worker": past.worker,
        "touches": list(past.touches),
        past.subject: past.facts,
        "decision": WORDS[precedent.decision],
    }
    return json.dumps(entry | ({"rule": precedent.family} if precedent.family else {}))


def read(text: str) -> Precedent | None:
    """Return the precedent of a line, or None for one that tells something else, such as an incident.

    Raises ValueError for a decision without facts.
    """
    entry = json.loads(text)
    if "decision" not in entry:
        return None
    known = ("decided", "request", "service", "worker", "touches", "decision", "rule")
    subjects = [name for name in entry if name not in known]
    if len(subjects) != 1:
        raise ValueError(f"a decision tells the facts of one subject, not of {len(subjects)}: {text[:80]!r}")
    past = Past(
        clock.minute_of(entry["decided"]),
        entry["request"],
        entry["service"],
        entry["worker"],
        tuple(entry["touches"]),
        subjects[0],
        entry[subjects[0]],
    )
    return Precedent(past, VERDICTS[entry["decision"]], entry.get("rule", ""))
