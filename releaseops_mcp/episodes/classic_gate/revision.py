"""The revised proposal that replaces all others whenever the release moves on to its next phase.

By then every violated rule has been repaired, so a revision is always safe to ship.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from releaseops_mcp.episodes.classic_gate.rules import Facts, violated_rules
from releaseops_mcp.episodes.classic_gate.texts import GENERIC_REVISION, REVISIONS
from releaseops_mcp.episodes.classic_gate.world import SHIP, Proposal

REPAIRERS = (("S3", "release_manager"), ("S1", "qa_triage"), ("S2", "ci_fixer"))
"""Who announces the repair of which rule; the first one that was violated speaks."""
TICKET_WRITER = "qa_triage"
"""The only worker whose revision cites a ticket."""


@dataclass(frozen=True, slots=True)
class RevisedProposal:
    """A revised proposal and the artefacts that it brings."""

    proposal: Proposal
    artifacts: dict[str, str]


def revise(facts: Facts, proposal_ids: Iterable[str], artifact_ids: Iterable[str]) -> RevisedProposal:
    """Return the revision for the facts before their repair; its ids continue those given."""
    rule, worker = _repairer(facts)
    words = REVISIONS.get(rule, GENERIC_REVISION)
    known = tuple(artifact_ids)
    artifacts = {_next_id("pr_", known): words.pr, _next_id("ci_run_", known): words.ci}
    if worker == TICKET_WRITER:
        artifacts[_next_id("ticket_", known)] = words.ticket
    name = _next_id("p", proposal_ids)
    return RevisedProposal(Proposal(name, worker, words.claim, SHIP, tuple(artifacts), (), "medium"), artifacts)


def _repairer(facts: Facts) -> tuple[str, str]:
    violated = {rule.short for rule in violated_rules(facts)}
    return next((entry for entry in REPAIRERS if entry[0] in violated), ("", "release_manager"))


def _next_id(prefix: str, ids: Iterable[str]) -> str:
    numbers = (name.removeprefix(prefix) for name in ids if name.startswith(prefix))
    return f"{prefix}{max((int(number) for number in numbers if number.isdigit()), default=0) + 1}"
