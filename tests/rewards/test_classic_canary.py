"""The canary grader: recorded cases, the table's laws, and the account of an episode."""

import gzip
import json
from pathlib import Path
from types import MappingProxyType

import pytest

from releaseops_mcp.episodes.classic_canary import SUITE, dynamics
from releaseops_mcp.episodes.classic_canary.contract import ACTION_TYPES
from releaseops_mcp.episodes.classic_canary.telemetry import Snapshot, telemetry_of
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.classic_canary import SCORER, grades, texts
from releaseops_mcp.rewards.classic_canary.assessor import PUBLIC_LABELS, assess
from releaseops_mcp.rewards.classic_canary.grader import Decision, grade
from releaseops_mcp.rewards.registry import scorers
from releaseops_mcp.simulation import Simulation

DATA = Path(__file__).parents[1] / "data" / "classic_canary"
REASON = "a reason that is long enough"


def grader_cases():
    with gzip.open(DATA / "canary_grader_cases.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def grade_case(case):
    seen, action = case["observation"], case["action"]
    snapshot = Snapshot(
        seen["canary_error_rate"],
        seen["canary_p99_ms"],
        seen["stable_error_rate"],
        seen["stable_p99_ms"],
        seen["alert_count"],
    )
    decision = Decision(action["action_type"], action["state_assessment"], action["slo_breach_detected"])
    return grade(case["task"], snapshot, seen["traffic_pct"], seen["consecutive_holds"], decision)


def test_every_recorded_grader_case_is_reproduced():
    cases = grader_cases()
    assert len(cases) == 762
    for case in cases:
        graded = grade_case(case)
        ours = {
            "state_kind": graded.state_kind,
            "public_label": graded.public_label,
            "total_score": graded.score,
            "breakdown": graded.breakdown(),
            "policy_assessment": graded.policy_assessment,
            "actual_breach": graded.actual_breach,
            "is_global_noise": graded.state_kind == "shared_noise",
            "is_phantom_alert": graded.state_kind == "phantom_alert",
        }
        assert ours == {key: case[key] for key in ours}, case


def labels():
    return {row.label for rows in grades.GRADES.values() for row in rows.values()}


def test_there_are_29_labels_each_with_a_sentence_of_its_own():
    assert len(labels()) == 29
    assert set(texts.EXPLANATIONS) == labels()
    assert len(set(texts.EXPLANATIONS.values())) == 29


def test_the_table_covers_every_state_and_action():
    assert set(grades.GRADES) == set(PUBLIC_LABELS)
    assert all(set(rows) == set(ACTION_TYPES) for rows in grades.GRADES.values())


@pytest.mark.parametrize(
    ("traffic", "weight"),
    [(0.15, 0.25), (0.2, 0.18), (0.25, 0.18), (0.3, 0.10), (0.35, 0.10), (0.36, 0.04), (0.05, 0.25)],
)
def test_rollback_timing_compares_unrounded_traffic(traffic, weight):
    assert grades.rollback_timing("easy", traffic) == weight


def test_rollback_timing_just_past_the_benchmark_and_without_one():
    assert grades.rollback_timing("hard", 0.30) == 0.25
    assert grades.rollback_timing("hard", 0.30000000000000004) == 0.22
    assert grades.rollback_timing("recovery", 0.5) == 0.0


def test_a_wrong_label_costs_seven_hundredths():
    calm = Snapshot(0.001, 140.0, 0.001, 140.0, 0)
    right = grade("easy", calm, 0.1, 0, Decision("increase_10", "healthy", False))
    wrong = grade("easy", calm, 0.1, 0, Decision("increase_10", "noise", False))
    assert (right.reasoning, wrong.reasoning) == (0.1, 0.03)


def test_a_perfect_and_a_worthless_decision_stay_within_the_range():
    burning = Snapshot(0.2, 400.0, 0.001, 140.0, 1)
    best = grade("easy", burning, 0.1, 0, Decision("rollback", "breach", True))
    worst = grade("easy", burning, 0.1, 0, Decision("increase_25", "healthy", False))
    assert (best.score, worst.score) == (0.9999, 0.0001)
    assert sum(best.breakdown().values()) == pytest.approx(1.0)


def play(scenario_id, actions):
    """Play a script, each decision with the label and flag that the assessor holds right."""
    simulation = Simulation.of(scenario_id)
    truth = simulation.episode.truth()
    telemetry = telemetry_of(truth["task"], truth["constants"])
    position = dynamics.START
    for action_type in actions:
        snapshot = telemetry.snapshot(position.traffic, position.step)
        label = PUBLIC_LABELS[assess(truth["task"], snapshot, position.traffic)]
        flag = label == "breach"
        simulation.call("decide_rollout", arguments(action_type, label, flag))
        position = dynamics.move(position, action_type)
    return simulation


def arguments(action_type, label="healthy", flag=False):
    return {
        "action_type": action_type,
        "reasoning": REASON,
        "slo_breach_detected": flag,
        "state_assessment": label,
    }


P5, P10, HOLD, BACK = "increase_5", "increase_10", "hold", "rollback"
DOCUMENTED_PAIRS = {
    "easy": ([P10, P5, BACK], [P10] * 3, 0.9267, 0.68),
    "medium": ([P10, P10, P10, P5, BACK], [P10, P10, P10, P10, BACK], 0.93, 0.846),
    "hard": ([P10, P10, P10, HOLD, HOLD, BACK], [P10, P10, P10, HOLD, P10, BACK], 0.935, 0.8217),
    "expert": ([P10, P10, HOLD, P10, P5, BACK], [P10, P10, BACK], 0.94, 0.7067),
}


@pytest.mark.parametrize("task", DOCUMENTED_PAIRS)
def test_the_documented_good_play_beats_the_documented_bad_one(task):
    good, bad, good_score, bad_score = DOCUMENTED_PAIRS[task]
    scenario_id = f"classic-canary/{task}/seed-0"
    scored = [play(scenario_id, script).score().total for script in (good, bad)]
    print(f"{task:>8}  good {scored[0]:.4f}  bad {scored[1]:.4f}")  # shown by pytest -rP
    assert scored == [good_score, bad_score]
    assert scored[0] > scored[1]


def test_one_changed_weight_changes_the_figure(monkeypatch):
    before = play("classic-canary/easy/seed-0", [P10, P5, BACK]).score()
    healthy = dict(grades.GRADES["healthy"]) | {P5: grades.Weights("healthy_cautious_promotion", 0.30, 0.23, 0.18)}
    monkeypatch.setattr(grades, "GRADES", MappingProxyType(dict(grades.GRADES) | {"healthy": healthy}))
    after = play("classic-canary/easy/seed-0", [P10, P5, BACK]).score()
    assert before.total == 0.9267
    assert after.total == 0.9167
    assert after.components["breach_detection_score"] < before.components["breach_detection_score"]


def test_the_registry_finds_the_scorer_and_the_score_names_it():
    assert scorers()[SUITE.name] is SCORER
    score = play("classic-canary/hard/seed-0", [P10]).score()
    assert (score.reward_id, score.version) == ("classic-canary", "1.0.0")
    assert score.components == {
        "breach_detection_score": 0.35,
        "rollback_timing_score": 0.25,
        "promotion_safety_score": 0.27,
        "reasoning_score": 0.1,
    }
    assert set(score.metrics) == {"steps", "outcome", "first_breach_point", "rollback_assessment"}


def test_before_any_decision_everything_is_zero():
    simulation = Simulation.of("classic-canary/easy/seed-0")
    score, report = simulation.score(), simulation.tally.report()
    assert (score.total, set(score.components.values())) == (0.0, {0.0})
    assert (report["outcome"], report["steps"], report["transcript"]) == ("in_progress", 0, [])
    assert set(report["score_breakdown"].values()) == {0.0}


def test_a_report_has_the_fields_of_the_original_and_is_a_fresh_object():
    simulation = play("classic-canary/hard/seed-0", [P10, P10, P10, HOLD, HOLD, BACK])
    report = simulation.tally.report()
    assert list(report) == [
        "task_id",
        "task_name",
        "seed",
        "steps",
        "episode_score",
        "outcome",
        "score_breakdown",
        "first_breach_point",
        "rollback_assessment",
        "episode_summary",
        "transcript",
    ]
    entry = report["transcript"][-1]
    assert list(entry) == [
        "decision_number",
        "pre_observation",
        "action",
        "step_score",
        "actual_breach",
        "policy_assessment",
        "reward_breakdown",
        "explanation",
        "post_observation",
    ]
    assert len(entry["pre_observation"]) == 13
    assert len(entry["post_observation"]) == 16
    assert (entry["post_observation"]["is_done"], entry["post_observation"]["episode_score"]) == (True, 0.935)
    entry["pre_observation"].clear()
    assert len(simulation.tally.report()["transcript"][-1]["pre_observation"]) == 13


def test_an_evaluation_has_the_nine_fields_of_the_original():
    simulation = Simulation.of("classic-canary/easy/seed-0")
    earned = simulation.call("decide_rollout", arguments(P10)).earned
    evaluation = texts.evaluation(earned.detail)
    assert list(evaluation) == [
        "step_reward",
        "episode_score",
        "actual_breach",
        "policy_assessment",
        "reward_breakdown",
        "explanation",
        "feedback",
        "summary",
        "feedback_text",
    ]
    assert evaluation | earned.detail == evaluation
    assert all(isinstance(note, str) for note in evaluation["feedback"])


def test_feedback_mentions_a_breach_and_an_unpublished_weight():
    notes = texts.feedback("late_hold_during_breach", True, {"reasoning_score": 0.05})
    assert notes[1] == "The canary was in breach at this decision."
    assert "0.0500" in notes[2]


SUMMARIES = [
    ("easy", [P10], "still under way"),
    ("recovery", [P10] * 11, "serves all traffic"),
    ("easy", [HOLD] * 12, "never rolled back"),
    ("easy", [BACK], "before any breach"),
    ("easy", [P10, P10, HOLD, BACK], "left standing"),
    ("easy", [P10, P5, BACK], "timely"),
    ("hard", [P10, P10, P10, HOLD, HOLD, BACK], "noise"),
    ("medium", [P10, P10, P10, P5, BACK], "signs of worsening"),
]


@pytest.mark.parametrize(("task", "script", "expected"), SUMMARIES)
def test_the_summary_says_how_the_episode_went(task, script, expected):
    report = play(f"classic-canary/{task}/seed-0", script).tally.report()
    assert expected in report["episode_summary"]
    assert report["outcome"] in report["episode_summary"]


def test_a_summary_without_a_benchmark_compares_with_none():
    summary = play("classic-canary/recovery/seed-0", [BACK]).tally.report()["episode_summary"]
    assert "benchmark" not in summary


def test_success_claims_that_no_breach_was_confirmed_even_if_one_was():
    report = play("classic-canary/easy/seed-0", [P10] * 11).tally.report()
    assert report["first_breach_point"] is not None
    assert "no breach was confirmed" in report["episode_summary"]


def test_the_fold_needs_log_and_truth_only():
    live = play("classic-canary/silent/seed-7", [P10, P10, P10, HOLD, BACK])
    truth = json.loads(json.dumps(live.episode.truth()))
    again = SCORER.tally(truth | {"seed": 999}, live.first_observation)
    replayed = play("classic-canary/silent/seed-7", [])
    for entry in live.tally.report()["transcript"]:
        judged = replayed.call("decide_rollout", entry["action"])
        assert replayed.tally.report()["transcript"][-1] == entry
        again.add(as_step(entry["action"], judged))
    assert again.score() == live.score() == replayed.score()


def as_step(action, judged):
    return Step("decide_rollout", action, None, judged.result, judged.observation, judged.done, judged.terminal_reason)


def test_a_truth_of_another_telemetry_model_is_refused():
    simulation = Simulation.of("classic-canary/easy/seed-0")
    with pytest.raises(VersionMismatch):
        SCORER.tally(simulation.episode.truth() | {"telemetry_model": "0"}, simulation.first_observation)
