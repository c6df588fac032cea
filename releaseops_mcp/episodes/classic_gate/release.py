"""The state of a release and its moves: clock, budget, phases and proposals. It judges no call; `episode` does."""

from collections.abc import Iterator

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_gate.revision import revise
from releaseops_mcp.episodes.classic_gate.rules import HEALTHY, RULES, violated_rules
from releaseops_mcp.episodes.classic_gate.world import SHIP, Proposal, Submission, WorkerRecord, World

PHASES = ("triage", "deploy_gate", "ship_decision")
HOURS_PER_PHASE = 12
EVIDENCE_PER_PHASE = 2
UNRESOLVED = "unresolved"


class Entry:
    """A submission with its state in the episode."""

    __slots__ = ("active", "proposal", "status", "violation")

    def __init__(self, submission: Submission) -> None:
        self.proposal = submission.proposal
        self.violation = submission.violation
        self.active = True
        self.status = UNRESOLVED

    def view(self) -> Json:
        """Return what a supervisor sees of it."""
        return _proposal_view(self.proposal, self.status)


class Release:
    """A release on its way to being shipped, or to missing its deadline."""

    def __init__(self, world: World) -> None:
        self.hours = world.hours
        self.budget = world.budget
        self.evidence = EVIDENCE_PER_PHASE
        self.phase = 0
        self.facts = dict(world.facts)
        self.artifacts = dict(world.artifacts)
        self.entries = [Entry(submission) for submission in world.submissions]
        self._records = world.records

    def active(self) -> Iterator[Entry]:
        """Yield the proposals of the current phase, the resolved ones too, in stored order."""
        return (entry for entry in self.entries if entry.active)

    def find(self, proposal_id: object) -> Entry | None:
        """Return the first proposal of that id among all that were ever listed."""
        return next((entry for entry in self.entries if entry.proposal.id == proposal_id), None)

    def spend_evidence(self) -> None:
        """Pay for one evidence action."""
        self.evidence -= 1
        self.budget -= 1

    def resolve(self, entry: Entry, status: str) -> str | None:
        """Give a proposal its status; return the terminal reason if that ends the episode."""
        entry.status = status
        if any(other.status == "approved" and other.proposal.request == SHIP for other in self.entries):
            return "unsafe_ship" if violated_rules(self.facts) else "safe_ship"
        if any(other.status == UNRESOLVED for other in self.active()):
            return None
        return self.move_on()

    def move_on(self) -> str | None:
        """Let the phase's time pass; return the terminal reason if the deadline is missed.

        All proposals are withdrawn, what was broken is repaired, and one revised ship request takes their place.
        """
        self.hours -= HOURS_PER_PHASE
        if self.hours <= 0 or self.phase == len(PHASES) - 1:
            return "missed_deadline"
        self.phase += 1
        self.evidence = EVIDENCE_PER_PHASE
        revised = revise(self.facts, (entry.proposal.id for entry in self.entries), self.artifacts)
        self.facts = dict(HEALTHY)
        self.artifacts |= revised.artifacts
        for entry in self.entries:
            entry.active = False
        self.entries.append(Entry(Submission(revised.proposal)))
        return None

    def observe(self) -> Json:
        """Return the observation, its keys in the original's order."""
        return {
            "phase": PHASES[self.phase],
            "phase_index": self.phase + 1,
            "hours_to_deadline": self.hours,
            "review_budget_remaining": self.budget,
            "evidence_actions_remaining": self.evidence,
            "release": {"service": "checkout", "stage": "candidate"},
            "release_checks": dict(self.facts),
            "rules": [rule.canonical for rule in RULES],
            "proposals": [entry.view() for entry in self.active()],
            "worker_stats": [_record_view(record) for record in self._records],
        }


def _proposal_view(proposal: Proposal, status: str) -> Json:
    return {
        "id": proposal.id,
        "worker": proposal.worker,
        "claim": proposal.claim,
        "request": proposal.request,
        "refs": list(proposal.refs),
        "risk": list(proposal.risk),
        "confidence": proposal.confidence,
        "status": status,
        "possible_rule_violations": list(proposal.listed_rules),
    }


def _record_view(record: WorkerRecord) -> Json:
    return {
        "worker": record.worker,
        "hint": record.hint,
        "recent": {"correct": record.correct, "incorrect": record.incorrect},
    }
