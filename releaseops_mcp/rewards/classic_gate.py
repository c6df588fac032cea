"""The reward of the original arena: an outcome, a price for evidence and mistakes, and a bonus for a discovery.

The figure is cumulative everywhere. It is folded from the logged calls and the truth alone: which proposal carried
which violation. A revised proposal never carries one.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from releaseops_mcp.episodes.classic_gate.rules import violated_rules
from releaseops_mcp.rewards.base import Json, Score, Scorer, Step, StepReward, Tally

REWARD_ID = "classic-gate"
VERSION = "1.0.0"

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "safe_ship": 1.00,
        "unsafe_ship": -1.00,
        "missed_deadline": -0.60,
        "evidence": -0.05,
        "invalid": -0.25,
        "false_block": -0.15,
        "discovery": 0.20,
    }
)
"""What each event earns (section 5 of the original's behaviour)."""
OUTCOMES = ("safe_ship", "unsafe_ship", "missed_deadline")
CHARGED = frozenset(
    {
        "terminal",
        "unknown_artifact",
        "no_evidence_actions",
        "no_review_budget",
        "invalid_question",
        "no_active_worker",
        "unknown_proposal",
        "inactive_proposal",
        "already_resolved",
        "invalid_rule",
        "rule_not_relevant",
        "invalid_hold_reason",
    }
)
"""The refusals that count as invalid actions; a wrong argument name, an unknown tool and our own faults are free."""
INSPECTED = MappingProxyType({"inspect_pr_diff": "pr_id", "inspect_ci_run": "run_id", "inspect_ticket": "ticket_id"})
"""The argument in which each inspecting tool names its artefact."""


class ClassicGateTally(Tally):
    """The running reward of one episode."""

    def __init__(self, truth: Json, first_observation: Json) -> None:
        self._proposals: list[Json] = truth["proposals"]
        self._start_budget: int = first_observation["review_budget_remaining"]
        self._last = first_observation
        self._outcome: str | None = None
        self._found: set[str] = set()
        self._true_blocks = 0
        self._counts = dict.fromkeys(WEIGHTS, 0)
        self._components = dict.fromkeys(WEIGHTS, 0.0)
        self._total = 0.0

    def add(self, step: Step) -> StepReward:
        """Fold one step in; returns the cumulative reward, with this step's own events and their amounts."""
        earned: dict[str, float] = {}
        for event in self._events(step):
            amount = WEIGHTS[event]
            earned[event] = earned.get(event, 0.0) + amount
            self._counts[event] += 1
            self._components[event] += amount
            self._total += amount
        self._last = step.observation
        return StepReward(self._total, {"earned": earned})

    def score(self) -> Score:
        """Return the cumulative reward, its components, and the original's counters."""
        return Score(REWARD_ID, VERSION, self._total, dict(self._components), self._metrics())

    def report(self) -> Json:
        """Return reward, components, metrics and the violations that evidence has touched."""
        return {
            "reward": self._total,
            "components": dict(self._components),
            "metrics": self._metrics(),
            "terminal_reason": self._outcome,
            "discovered": sorted(self._found),
        }

    def _events(self, step: Step) -> Iterator[str]:
        if step.error is not None:
            yield from ("invalid",) if step.error in CHARGED else ()
            return
        if step.tool in INSPECTED or step.tool == "ask_worker":
            yield "evidence"
            yield from self._discoveries(step)
        elif step.tool == "block_proposal":
            if self._is_sound(step.arguments["proposal_id"]):
                yield "false_block"
            else:
                self._true_blocks += 1
        if step.terminal_reason in OUTCOMES:
            self._outcome = step.terminal_reason
            yield step.terminal_reason

    def _discoveries(self, step: Step) -> Iterator[str]:
        for proposal in self._proposals:
            violation = proposal["violation"]
            if violation is not None and violation not in self._found and _touches(step, proposal):
                self._found.add(violation)
                yield "discovery"

    def _is_sound(self, proposal_id: str) -> bool:
        first = next((proposal for proposal in self._proposals if proposal["id"] == proposal_id), None)
        return first is None or first["violation"] is None

    def _metrics(self) -> Json:
        shipped_unsafe = self._outcome == "unsafe_ship"
        violated = violated_rules(self._last["release_checks"]) if shipped_unsafe else ()
        metrics: dict[str, Any] = {
            "invalid_actions": self._counts["invalid"],
            "false_blocks": self._counts["false_block"],
            "true_blocks": self._true_blocks,
            "phase_advances": self._last["phase_index"] - 1,
            "budget_spent": self._start_budget - self._last["review_budget_remaining"],
            **{outcome: self._outcome == outcome for outcome in OUTCOMES},
            "violated_rules": [rule.canonical for rule in violated],
        }
        return metrics


def _touches(step: Step, proposal: Json) -> bool:
    if step.tool in INSPECTED:
        return step.arguments[INSPECTED[step.tool]] in proposal["refs"]
    return step.arguments["question_type"] == "evidence_basis" and step.arguments["worker_id"] == proposal["worker"]


class ClassicGateScorer(Scorer):
    """Scores episodes of `classic-gate`."""

    suite = "classic-gate"
    reward_id = REWARD_ID
    version = VERSION

    def tally(self, truth: Json, first_observation: Json) -> ClassicGateTally:
        """Return an empty tally; `truth` is what the episode's `truth()` gives."""
        return ClassicGateTally(truth, first_observation)


SCORER = ClassicGateScorer()
