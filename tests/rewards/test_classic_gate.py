"""The reward of the classic gate, folded from logged calls and truth alone."""

from typing import Any

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_gate import SUITE
from releaseops_mcp.rewards import classic_gate
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.classic_gate import CHARGED, SCORER, WEIGHTS
from releaseops_mcp.rewards.registry import code_hash, scorers

TRUTH = {
    "proposals": [
        {"id": "p1", "worker": "dev_1", "refs": ["ticket_1"], "violation": None},
        {"id": "p2", "worker": "ci_fixer", "refs": ["pr_1", "ci_run_1"], "violation": "payments_tests_must_pass"},
        {"id": "p1", "worker": "dev_1", "refs": [], "violation": "payments_tests_must_pass"},
    ]
}
CHECKS = {
    "open_p1_bug": False,
    "payment_tests_disabled": True,
    "payment_tests_passing": False,
    "deploy_checks_passed": True,
}


def seen(budget: int = 5, phase: int = 1) -> dict[str, Any]:
    return {"review_budget_remaining": budget, "phase_index": phase, "release_checks": CHECKS}


def step(tool: str, arguments: dict[str, Any], *, error: str | None = None, reason: str | None = None) -> Step:
    return Step(tool, arguments, error, None if error else {}, seen(), reason is not None, reason)


def ask(worker: str, question: str) -> Step:
    return step("ask_worker", {"worker_id": worker, "question_type": question})


def block(proposal: str) -> Step:
    return step("block_proposal", {"proposal_id": proposal, "rule_id": "S2"})


def fold(*steps: Step):
    tally = SCORER.tally(TRUTH, seen())
    rewards = [tally.add(entry).reward for entry in steps]
    return tally, rewards


def test_the_registry_finds_the_scorer():
    assert scorers()["classic-gate"] is SCORER
    assert (SCORER.reward_id, SCORER.version, len(code_hash(type(SCORER)))) == ("classic-gate", "1.0.0", 64)


def test_a_violation_pays_once_however_often_evidence_touches_it():
    inspect = step("inspect_ticket", {"ticket_id": "ci_run_1"})
    tally, rewards = fold(inspect, inspect, ask("ci_fixer", "evidence_basis"))
    assert rewards == pytest.approx([0.15, 0.10, 0.05])
    assert tally.report()["discovered"] == ["payments_tests_must_pass"]


@pytest.mark.parametrize("question", ["policy_basis", "confidence_basis", "risk_summary"])
def test_only_the_question_for_evidence_discovers(question):
    _, rewards = fold(ask("ci_fixer", question), ask("ci_fixer", "evidence_basis"))
    assert rewards == pytest.approx([-0.05, 0.10])


def test_a_block_is_judged_by_the_first_proposal_of_its_id():
    tally, rewards = fold(block("p1"), block("p2"), block("p3"))
    assert rewards == pytest.approx([-0.15, -0.15, -0.30])
    metrics = tally.score().metrics
    assert (metrics["false_blocks"], metrics["true_blocks"]) == (2, 1)


@pytest.mark.parametrize(("reason", "amount"), [("safe_ship", 1.0), ("unsafe_ship", -1.0), ("missed_deadline", -0.6)])
def test_an_outcome_pays_once_and_calls_after_the_end_cost(reason, amount):
    late = Step("hold_release", {"reason_code": "awaiting_fix"}, "terminal", None, seen(), True, reason)
    tally, rewards = fold(step("approve_proposal", {"proposal_id": "p2"}, reason=reason), late, late)
    score = tally.score()
    assert rewards == pytest.approx([amount, amount - 0.25, amount - 0.5])
    assert {name: score.metrics[name] for name in ("safe_ship", "unsafe_ship", "missed_deadline")} == {
        "safe_ship": reason == "safe_ship",
        "unsafe_ship": reason == "unsafe_ship",
        "missed_deadline": reason == "missed_deadline",
    }
    assert score.metrics["violated_rules"] == (["payments_tests_must_pass"] if reason == "unsafe_ship" else [])


def test_every_code_of_the_suite_is_charged_except_the_two_free_ones():
    assert set(SUITE.error_codes) - CHARGED == {"argument_error", "unknown_tool"}
    assert set(SUITE.error_codes) > CHARGED
    for code in (*SUITE.error_codes, "environment_fault"):
        _, rewards = fold(step("hold_release", {}, error=code))
        assert rewards == [-0.25 if code in CHARGED else 0.0]


def test_counters_come_from_the_first_and_the_last_observation():
    tally = SCORER.tally(TRUTH, seen(budget=6))
    tally.add(Step("hold_release", {}, None, {}, seen(budget=2, phase=3), False, None))
    metrics = tally.score().metrics
    assert (metrics["budget_spent"], metrics["phase_advances"]) == (4, 2)


def test_components_add_up_to_the_total():
    tally, rewards = fold(block("p1"), ask("ci_fixer", "evidence_basis"), step("hold_release", {}, error="terminal"))
    score = tally.score()
    assert set(score.components) == set(WEIGHTS)
    assert sum(score.components.values()) == pytest.approx(score.total)
    assert score.total == rewards[-1]


def test_a_step_tells_what_it_earned_for():
    tally, _ = fold()
    earned = tally.add(ask("ci_fixer", "evidence_basis")).detail["earned"]
    assert earned == {"evidence": -0.05, "discovery": 0.20}


def test_weights_are_read_while_folding(monkeypatch):
    monkeypatch.setattr(classic_gate, "WEIGHTS", WEIGHTS | {"false_block": -7.0})
    _, rewards = fold(block("p1"))
    assert rewards == [-7.0]


def test_nothing_earned_is_a_report_of_zeros():
    report = fold()[0].report()
    assert report["reward"] == 0.0
    assert report["terminal_reason"] is None
    canonical.dumps(report)
