"""One play of the classic gate: judges every call, in the original's order of checks, and lets the release move.

A refused call changes nothing. What it costs is the scorer's business.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, cast

from releaseops_mcp import canonical
from releaseops_mcp.episodes.base import Episode, Json, Outcome, Refusal
from releaseops_mcp.episodes.classic_gate.refusals import refuse, shown
from releaseops_mcp.episodes.classic_gate.release import PHASES, UNRESOLVED, Entry, Release
from releaseops_mcp.episodes.classic_gate.rules import SPELLINGS
from releaseops_mcp.episodes.classic_gate.texts import CONFIDENCE_ANSWER
from releaseops_mcp.episodes.classic_gate.tools import (
    ARGUMENTS,
    HOLD_REASONS,
    INSPECTIONS,
    QUESTION_TYPES,
    RULE_SPELLINGS,
)
from releaseops_mcp.episodes.classic_gate.world import World

Verdict = Json | Refusal
CONFESSED = frozenset({"evidence_basis", "risk_summary"})
"""The questions that a worker with a violation answers with the plain truth."""


class ClassicGateEpisode(Episode):
    """One play of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._release = Release(world)
        self._world_hash: str | None = None

    def observe(self) -> Json:
        """Return the current observation; its keys are those of section 2 of the original's behaviour, in order."""
        return self._release.observe()

    def call(self, tool: str, arguments: Json) -> Outcome:
        """Judge one call: argument names first (free of charge), then whether the episode is over, then the rest."""
        if not _has_exactly(ARGUMENTS[tool], arguments):
            return Outcome(refusal=_argument_error(tool, arguments))
        if self.done:
            return Outcome(refusal=refuse("terminal", tool=tool))
        verdict = self._judges[tool](self, tool, arguments)
        return Outcome(refusal=verdict) if isinstance(verdict, Refusal) else Outcome(result=verdict)

    def close(self) -> None:
        """End the episode without a terminal reason, unless it already has one."""
        self.done = True

    @property
    def world_hash(self) -> str:
        """SHA-256 over everything that the scenario generated, the truth included."""
        if self._world_hash is None:
            self._world_hash = canonical.digest(self._world.contents())
        return self._world_hash

    def truth(self) -> Json:
        """Return the first phase's proposals in stored order: `{proposals: [{id, worker, refs, violation}]}`.

        A revised proposal never carries a violation, so none is listed.
        """
        return {
            "proposals": [
                {
                    "id": submission.proposal.id,
                    "worker": submission.proposal.worker,
                    "refs": list(submission.proposal.refs),
                    "violation": submission.violation.id if submission.violation else None,
                }
                for submission in self._world.submissions
            ]
        }

    def _inspect(self, tool: str, arguments: Json) -> Verdict:
        argument, result = INSPECTIONS[tool]
        artifact = arguments[argument]
        if not isinstance(artifact, str) or artifact not in self._release.artifacts:
            return refuse("unknown_artifact", value=shown(artifact))
        if refusal := self._unaffordable():
            return refusal
        self._release.spend_evidence()
        return {argument: artifact, result: self._release.artifacts[artifact]}

    def _ask(self, tool: str, arguments: Json) -> Verdict:
        worker, question = arguments["worker_id"], arguments["question_type"]
        if question not in QUESTION_TYPES:
            return refuse("invalid_question", value=shown(question), known=", ".join(QUESTION_TYPES))
        entry = next((entry for entry in self._release.active() if entry.proposal.worker == worker), None)
        if entry is None:
            return refuse("no_active_worker", value=shown(worker))
        if refusal := self._unaffordable():
            return refusal
        self._release.spend_evidence()
        return {
            "tool": tool,
            "worker": worker,
            "question_type": question,
            "answer": self._answer(entry, question),
            "refs": list(entry.proposal.refs),
            "confidence": entry.proposal.confidence,
        }

    def _approve(self, tool: str, arguments: Json) -> Verdict:
        entry = self._open_proposal(arguments["proposal_id"])
        return entry if isinstance(entry, Refusal) else self._resolve(entry, "approve", "approved")

    def _block(self, tool: str, arguments: Json) -> Verdict:
        cited = arguments["rule_id"]
        rule = SPELLINGS.get(cited) if isinstance(cited, str) else None
        if rule is None:
            return refuse("invalid_rule", value=shown(cited), known=", ".join(RULE_SPELLINGS))
        entry = self._open_proposal(arguments["proposal_id"])
        if isinstance(entry, Refusal):
            return entry
        listed = entry.proposal.listed_rules
        if listed and rule.short not in listed:
            return refuse("rule_not_relevant", value=cited, proposal=entry.proposal.id, known=", ".join(listed))
        return self._resolve(entry, "block", "blocked")

    def _hold(self, tool: str, arguments: Json) -> Verdict:
        reason = arguments["reason_code"]
        if reason not in HOLD_REASONS:
            return refuse("invalid_hold_reason", value=shown(reason), known=", ".join(HOLD_REASONS))
        self._end(self._release.move_on())
        if self.done:
            return {"action": tool, "terminal": True, "reason": self.terminal_reason}
        return {"action": tool, "terminal": False, "updated_observation": self.observe()}

    def _unaffordable(self) -> Refusal | None:
        if self._release.evidence <= 0:
            return refuse("no_evidence_actions", phase=PHASES[self._release.phase])
        return refuse("no_review_budget") if self._release.budget <= 0 else None

    def _answer(self, entry: Entry, question: str) -> str:
        if question not in CONFESSED:
            return CONFIDENCE_ANSWER.format(confidence=entry.proposal.confidence)
        return entry.violation.confession if entry.violation else self._world.reassurance

    def _open_proposal(self, proposal_id: object) -> Entry | Refusal:
        entry = self._release.find(proposal_id)
        if entry is None:
            return refuse("unknown_proposal", value=shown(proposal_id))
        if not entry.active:
            return refuse("inactive_proposal", value=entry.proposal.id)
        if entry.status != UNRESOLVED:
            return refuse("already_resolved", value=entry.proposal.id, status=entry.status)
        return entry

    def _resolve(self, entry: Entry, action: str, status: str) -> Json:
        self._end(self._release.resolve(entry, status))
        result: Json = {"action": action, "proposal": entry.proposal.id, "terminal": self.done}
        return result | {"episode_end_reason": self.terminal_reason} if self.done else result

    def _end(self, reason: str | None) -> None:
        self.terminal_reason = reason
        self.done = reason is not None

    _judges: ClassVar[Mapping[str, Callable[["ClassicGateEpisode", str, Json], Verdict]]] = MappingProxyType(
        {
            **dict.fromkeys(INSPECTIONS, _inspect),
            "ask_worker": _ask,
            "approve_proposal": _approve,
            "block_proposal": _block,
            "hold_release": _hold,
        }
    )


def _has_exactly(names: tuple[str, ...], arguments: object) -> bool:
    return isinstance(arguments, dict) and cast("dict[Any, Any]", arguments).keys() == set(names)


def _argument_error(tool: str, arguments: object) -> Refusal:
    given = list(cast("dict[Any, Any]", arguments)) if isinstance(arguments, dict) else arguments
    return refuse("argument_error", tool=tool, expected=", ".join(ARGUMENTS[tool]), given=shown(given))
