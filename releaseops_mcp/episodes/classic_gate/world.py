"""What a scenario generates. What a supervisor may see and what is hidden have types of their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_gate.rules import Facts

SHIP = "ship_release_candidate"
TRIAGE = "approve_triage"
HOLD_GATE = "hold_release_gate"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a worker asks for, as the supervisor sees it."""

    id: str
    """`p` and a number; two proposals of one world may share an id."""
    worker: str
    claim: str
    request: str
    """SHIP, TRIAGE or HOLD_GATE."""
    refs: tuple[str, ...]
    """Ids of artefacts that the worker cites."""
    risk: tuple[str, ...]
    confidence: str
    """medium, high or very_high."""
    listed_rules: tuple[str, ...] = ()
    """Short names of the rules that the proposal may violate."""


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with a proposal; hidden."""

    id: str
    """Canonical name of the rule that shipping it would break."""
    confession: str
    """What the worker admits when asked for its evidence."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A proposal together with what it hides."""

    proposal: Proposal
    violation: Violation | None = None


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """A worker's track record: shown, and without influence on anything."""

    worker: str
    hint: str
    correct: int
    incorrect: int


@dataclass(frozen=True, slots=True)
class World:
    """One release, the truth included."""

    hours: int
    """Hours to the deadline at the start."""
    budget: int
    """Evidence actions that may be spent in the whole episode."""
    facts: Facts
    submissions: tuple[Submission, ...]
    artifacts: Mapping[str, str]
    """Text by id."""
    records: tuple[WorkerRecord, ...]
    reassurance: str
    """What every worker with a clean proposal answers when asked for its evidence or its risk."""

    def contents(self) -> Json:
        """Return everything that was generated, as plain JSON data."""
        return {
            "hours": self.hours,
            "budget": self.budget,
            "facts": dict(self.facts),
            "submissions": [_submission(submission) for submission in self.submissions],
            "artifacts": dict(self.artifacts),
            "records": [[record.worker, record.hint, record.correct, record.incorrect] for record in self.records],
            "reassurance": self.reassurance,
        }


def _submission(submission: Submission) -> list[Any]:
    proposal, violation = submission.proposal, submission.violation
    shown = [proposal.id, proposal.worker, proposal.claim, proposal.request, proposal.confidence]
    lists = [list(proposal.refs), list(proposal.risk), list(proposal.listed_rules)]
    return [*shown, *lists, None if violation is None else [violation.id, violation.confession]]
