"""POST /grader: the recorded cases, and what the grader is meant to reward."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from releaseops_mcp.doors.http import classic_canary
from releaseops_mcp.doors.http.classic_canary.graded import Grading
from tests.doors.http.classickit import DATA, Served, serving

CALM = {
    "traffic_pct": 0.1,
    "canary_error_rate": 0.001,
    "canary_p99_ms": 140,
    "stable_error_rate": 0.001,
    "stable_p99_ms": 140,
}
NOISE = CALM | {"traffic_pct": 0.3, "canary_p99_ms": 186, "stable_p99_ms": 186}
WATCH = CALM | {"traffic_pct": 0.3, "canary_error_rate": 0.0026, "canary_p99_ms": 168, "stable_p99_ms": 144}
PHANTOM = CALM | {"traffic_pct": 0.2, "alert_count": 4}
BREACH = CALM | {"traffic_pct": 0.15, "canary_error_rate": 0.02}


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(classic_canary.build, tmp_path_factory.mktemp("canary")) as served:
        yield served


def action(action_type: str, state: str, flag: bool = False, reasoning: str = "enough of a reason") -> dict[str, Any]:
    said = {"action_type": action_type, "reasoning": reasoning}
    return said | {"slo_breach_detected": flag, "state_assessment": state}


def graded(canary: Served, task: str, telemetry: dict[str, Any], taken: dict[str, Any]) -> Grading:
    answer = canary.post("/grader", {"task_id": task, **telemetry, "action": taken, "more": "ignored"})
    assert answer.status_code == 200, answer.text
    return Grading.model_validate(answer.json())


def score(canary: Served, task: str, telemetry: dict[str, Any], action_type: str, state: str) -> float:
    return graded(canary, task, telemetry, action(action_type, state)).total_score


def test_every_recorded_case_gets_its_recorded_grade(canary):
    with gzip.open(DATA / "classic_canary" / "canary_grader_cases.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines]
    assert len(cases) == 762
    names = ("total_score", "policy_assessment", "actual_breach")
    labels: Counter[str] = Counter()
    for case in cases:
        body = {"task_id": case["task"], "action": case["action"], **case["observation"]}
        shown = canary.post("/grader", body).json()
        assert [shown[name] for name in names] == [case[name] for name in names], case["note"]
        assert shown["reward_breakdown"] == case["breakdown"], case["note"]
        assert 0 <= shown["total_score"] <= shown["max_score"]
        labels[shown["policy_assessment"]] += 1
    assert len(labels) == 29


def test_a_grade_is_normalised_and_has_four_components(canary):
    shown = graded(canary, "easy", BREACH, action("rollback", "breach", True))
    assert (shown.max_score, shown.deterministic, shown.normalized) == (1.0, True, True)
    assert shown.reward_breakdown.model_dump() == {
        "breach_detection_score": 0.35,
        "rollback_timing_score": 0.25,
        "promotion_safety_score": 0.30,
        "reasoning_score": 0.10,
    }
    assert shown.breach_detection_score == 0.35
    assert (shown.total_score, shown.policy_assessment, shown.actual_breach) == (0.9999, "correct_rollback", True)
    assert shown.explanation in shown.feedback


def test_a_rollback_is_graded_on_the_state_before_it(canary):
    begun = canary.post("/episodes", {"task": "easy"}).json()
    for taken in (
        action("increase_10", "healthy"),
        action("increase_10", "healthy"),
        action("rollback", "breach", True),
    ):
        shown = canary.post(f"/episodes/{begun['episode_id']}/step", {"action": taken}).json()
    assert shown["observation"]["traffic_pct"] == 0.0
    assert shown["evaluation"]["policy_assessment"] == "correct_rollback"
    entry = shown["episode_result"]["transcript"][-1]
    assert entry["pre_observation"]["traffic_pct"] == 0.2


@pytest.mark.parametrize(("task", "telemetry", "state"), [("hard", NOISE, "noise"), ("hard", WATCH, "warning")])
def test_holding_beats_promoting_through_noise_and_through_the_watch_window(canary, task, telemetry, state):
    held = score(canary, task, telemetry, "hold", state)
    assert all(held > score(canary, task, telemetry, up, state) for up in ("increase_5", "increase_10", "increase_25"))


def test_holding_through_a_phantom_beats_rolling_back(canary):
    held = score(canary, "expert", PHANTOM, "hold", "phantom_alert")
    assert held > score(canary, "expert", PHANTOM, "rollback", "phantom_alert")


@pytest.mark.parametrize("task", ["recovery", "silent"])
def test_holding_through_a_gap_beats_rolling_back_and_promoting(canary, task):
    held = score(canary, task, WATCH, "hold", "warning")
    others = ("rollback", "increase_5", "increase_10", "increase_25")
    assert all(held > score(canary, task, WATCH, other, "warning") for other in others)


def test_reasoning_ignores_prose(canary):
    texts = ("x" * 15, "breach breach breach rollback now", "all is healthy and calm here")
    grades = [graded(canary, "easy", CALM, action("increase_10", "healthy", reasoning=text)) for text in texts]
    assert grades[0] == grades[1] == grades[2]


def test_a_wrong_label_costs_exactly_7_hundredths(canary):
    right = graded(canary, "easy", CALM, action("hold", "healthy"))
    wrong = graded(canary, "easy", CALM, action("hold", "warning"))
    assert (right.reasoning_score, wrong.reasoning_score) == (0.10, 0.03)
    assert round(right.total_score - wrong.total_score, 4) == 0.07


def test_holds_in_a_row_count(canary):
    once = graded(canary, "easy", CALM, action("hold", "healthy"))
    again = graded(canary, "easy", CALM | {"consecutive_holds": 1, "step_number": 5}, action("hold", "healthy"))
    assert (once.promotion_safety_score, again.promotion_safety_score) == (0.05, 0.01)


@pytest.mark.parametrize(
    "changed",
    [
        {"traffic_pct": 1.1},
        {"canary_error_rate": -0.1},
        {"canary_p99_ms": -1},
        {"stable_p99_ms": None},
        {"alert_count": -1},
        {"step_number": 1.5},
        {"consecutive_holds": "x"},
        {"action": "hold"},
        {"task_id": None},
    ],
)
def test_a_field_out_of_range_is_a_422_with_a_list(canary, changed):
    body = {"task_id": "easy", **CALM, "action": action("hold", "healthy")} | changed
    answer = canary.post("/grader", body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", *changed]


def test_an_unknown_task_is_a_404_before_its_action_is_read(canary):
    body = {"task_id": "unheard-of", **CALM, "action": {}}
    assert canary.post("/grader", body).status_code == 404
    answer = canary.post("/grader", body | {"task_id": "easy"})
    assert (answer.status_code, type(answer.json()["detail"])) == (422, str)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_reading_that_is_no_number_is_a_422(canary, number):
    body = json.dumps({"task_id": "easy", **CALM, "action": action("hold", "healthy")})
    answer = canary.client.post("/grader", content=body.replace('"canary_p99_ms": 140', f'"canary_p99_ms": {number}'))
    assert answer.status_code == 422
