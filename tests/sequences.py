"""Fixed plays of each suite, whose scores are stored in `tests/data/stored_scores.json`.

`python -m tests.sequences` writes that file anew: after a change of a weight, and of the reward's version with it.
"""

import json
from pathlib import Path
from typing import Any

from releaseops_mcp.agents.base import Action, Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.simulation import Simulation

FILE = Path(__file__).parent / "data" / "stored_scores.json"
Call = tuple[str, dict[str, Any]]

GATE_SCENARIO = "classic-gate/green_ci_disabled_payment_test/medium/seed-0"
CANARY_SCENARIO = "classic-canary/easy/seed-0"
HOLD: Call = ("hold_release", {"reason_code": "awaiting_fix"})
UNKNOWN_ARTIFACT: Call = ("inspect_pr_diff", {"pr_id": "pr_none"})
"""Refused, and charged."""


def decision(action_type: str, **changed: Any) -> Call:
    """Return a canary decision."""
    said = {
        "action_type": action_type,
        "reasoning": "Every figure is well inside its guard.",
        "slo_breach_detected": False,
        "state_assessment": "healthy",
    }
    return ("decide_rollout", said | changed)


_PLAYED = (
    ("phase-aware", "classic-gate/green_ci_disabled_payment_test/medium/seed-3"),
    ("rule", "classic-gate/qa_undercalls_p1_checkout_bug/low/seed-5"),
    ("naive", "classic-gate/release_manager_ship_before_evidence/medium/seed-7"),
    ("always-block", "classic-gate/careful_qa_safe/low/seed-2"),
    ("always-hold", "classic-gate/green_ci_disabled_payment_test/medium/seed-11"),
    ("random-valid", "classic-gate/qa_undercalls_p1_checkout_bug/medium/seed-13"),
    ("baseline", "classic-canary/easy/seed-3"),
    ("cautious", "classic-canary/medium/seed-5"),
    ("aggressive", "classic-canary/hard/seed-7"),
    ("threshold-only", "classic-canary/expert/seed-11"),
    ("alert-only", "classic-canary/recovery/seed-13"),
    ("random-valid", "classic-canary/silent/seed-19"),
    ("cautious", "canary/f07-leak/seed-3"),
    ("cautious", "canary/f03-sharedincident/seed-5"),
    ("obey-all-answers", "canary/f16-brokenquery-twin/seed-7"),
    ("threshold-errors-x2-2-by-10", "canary/f01-bigbang/seed-11"),
    ("always-hold", "canary/f02-boilingfrog/seed-13"),
    ("random-valid", "canary/f19-periodic-twin/seed-19"),
)


def record(name: str, scenario: str) -> dict[str, Any]:
    """Let a supervisor play and return its calls with the score that they came to."""
    simulation = Simulation.of(scenario)
    calls: list[Call] = []

    def apply(action: Action) -> Turn:
        calls.append((action.tool, action.arguments))
        judged = simulation.call(action.tool, action.arguments)
        error = judged.refusal.code if judged.refusal else None
        return Turn(judged.result, error, judged.observation, judged.done, judged.terminal_reason)

    policy = find_supervisor(name, simulation.suite.name).policy
    drive(policy, Brief(simulation.first_observation, simulation.suite.tools, 0), apply, max_calls=40)
    score = simulation.score()
    stored = {"reward_id": score.reward_id, "version": score.version, "total": score.total}
    return {"scenario": scenario, "calls": calls, **stored}


def main() -> None:
    """Write the file, a play a line."""
    lines = [json.dumps(record(*played)) for played in _PLAYED]
    note = json.dumps("Made by: python -m tests.sequences")
    FILE.write_text('{"note": ' + note + ', "scores": [\n' + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    main()
