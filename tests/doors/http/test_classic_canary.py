"""The original canary manager's HTTP contract at /classic-canary: routes, fields, statuses."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from releaseops_mcp.doors.http import classic_canary
from releaseops_mcp.doors.http.classic_canary import answers, graded, uninitialised
from releaseops_mcp.episodes.classic_canary.contract import CanaryObservation
from releaseops_mcp.rewards.classic_canary.grades import BENCHMARKS
from tests.clock import Clock
from tests.doors.http.classickit import GRADER, Served, live_checks, serving, undocumented

TASKS = ["easy", "medium", "hard", "expert", "recovery", "silent"]
OBSERVED = list(CanaryObservation.model_fields)
GATE = "classic-gate/careful_qa_safe/medium/seed-1"


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Served]:
    with serving(classic_canary.build, tmp_path) as served:
        yield served


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Served]:
    with serving(classic_canary.build, tmp_path, grader_token="the-grader") as served:
        yield served


def action(action_type: str, state: str = "healthy", flag: bool = False, **changed: Any) -> dict[str, Any]:
    said = {"action_type": action_type, "reasoning": "enough of a reason", "slo_breach_detected": flag}
    return said | {"state_assessment": state} | changed


UP, ROLLBACK = action("increase_10"), action("rollback", "breach", True)
GOOD = [UP, UP, UP, action("hold", "noise"), action("hold", "warning"), ROLLBACK]
"""The best play of the hard task at seed 0."""
BAD_ACTIONS = [
    {},
    UP | {"action_type": "increase_50"},
    UP | {"reasoning": "too short"},
    UP | {"slo_breach_detected": "perhaps"},
    UP | {"state_assessment": None},
    UP | {"more": 1},
    UP | {"metadata": 7},
]


def begin(canary: Served, **asked: Any) -> str:
    answer = canary.post("/episodes", asked)
    assert answer.status_code == 200, answer.text
    return answer.json()["episode_id"]


def decide(canary: Served, episode_id: str, taken: Any, headers: Any = None, **more: Any) -> Any:
    return canary.post(f"/episodes/{episode_id}/step", {"action": taken, **more}, headers=headers)


def play(canary: Served, episode_id: str, actions: list[dict[str, Any]]) -> Any:
    return [decide(canary, episode_id, each) for each in actions][-1]


# --- the framework's routes ---


def test_openenv_can_drive_it(canary):
    assert all(live_checks(canary).values())
    assert undocumented(canary) == []


def test_standard_endpoints_answer(canary):
    assert canary.get("/health").json() == {"status": "healthy"}
    about = canary.get("/metadata").json()
    assert (about["version"], about["readme_content"], about["documentation_url"]) == ("1.0.0", None, None)
    assert canary.get("/").status_code == 404
    assert canary.get("/docs").status_code == 200
    assert canary.get("/redoc").status_code == 200


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{}", -32600),
        ("not json", -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', -32603),
        ('{"jsonrpc":"2.0","id":1,"method":"initialize"}', -32601),
    ],
)
def test_the_json_rpc_shim_answers_every_request_with_200(canary, content, code):
    answer = canary.client.post("/mcp", content=content)
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, code)


def test_the_json_rpc_shim_hands_out_a_session(canary):
    answer = canary.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create"})
    assert answer.json()["result"]["session_id"]


def test_an_observation_holds_no_task_and_no_grading(canary):
    shown = canary.post("/reset", {"task": "hard"}).json()
    assert list(shown) == ["observation", "reward", "done"]
    assert list(shown["observation"]) == OBSERVED
    assert (shown["reward"], shown["done"]) == (0.0, False)
    assert all(isinstance(shown["observation"][name], float) for name in ("traffic_pct", "canary_p99_ms"))


@pytest.mark.parametrize("task", ["unheard-of", "", None, 7, ["hard"], {"a": 1}])
def test_an_unknown_task_is_easy_on_reset(canary, task):
    assert canary.post("/reset", {"task": task}).json() == canary.post("/reset", {"task": "easy"}).json()


@pytest.mark.parametrize("body", [{}, {"seed": None}, {"seed": 0}, {"seed": "0", "episode_id": 7, "more": 1}])
def test_an_omitted_or_null_seed_is_0(canary, body):
    assert canary.post("/reset", body).json() == canary.client.post("/reset").json()


@pytest.mark.parametrize("seed", [-1, 1.5, "x", [], 10**18])
def test_a_seed_that_is_no_natural_number_is_a_422(canary, seed):
    for path in ("/reset", "/episodes"):
        answer = canary.post(path, {"seed": seed})
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"] == ["body", "seed"]


def test_the_same_seed_shows_the_same_and_another_one_something_else(canary):
    shown = [canary.post("/reset", {"task": "medium", "seed": seed}).json() for seed in (1, 1, 2)]
    assert shown[0] == shown[1] != shown[2]


def test_a_stateless_step_shows_the_uninitialised_observation_and_keeps_nothing(canary):
    canary.post("/reset", {})
    assert canary.post("/step", {"action": UP}).json() == uninitialised.step_result()
    answers.StepResult.model_validate(uninitialised.step_result())
    first, second = canary.get("/state").json(), canary.get("/state").json()
    assert first["step_count"] == 0
    assert first["episode_id"] != second["episode_id"]
    assert canary.arena.store.count() == 0


@pytest.mark.parametrize("body", [{}, {"action": None}, {"action": []}, *({"action": each} for each in BAD_ACTIONS)])
def test_a_stateless_step_refuses_a_bad_action_with_a_list(canary, body):
    answer = canary.post("/step", body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"][:2] == ["body", "action"]


# --- /episodes ---


def test_an_episode_begins_with_its_context(canary):
    shown = canary.post("/episodes", {"task": "hard", "seed": 3, "more": 1}).json()
    begun = answers.Begun.model_validate(shown)
    context = begun.episode_context
    assert (context.task_id, context.seed, context.difficulty) == ("hard", 3, "hard")
    assert (context.defaulted_task, context.requested_task) == (False, "hard")
    assert list(shown["observation"]) == OBSERVED
    assert canary.row(begun.episode_id).scenario == "classic-canary/hard/seed-3"


def test_an_episode_needs_no_body(canary):
    begun = canary.client.post("/episodes").json()["episode_context"]
    assert (begun["task_id"], begun["seed"]) == ("easy", 0)


def test_an_unknown_task_is_a_422_on_episodes(canary):
    answer = canary.post("/episodes", {"task": "unheard-of"})
    assert answer.status_code == 422
    assert all(task in answer.json()["detail"] for task in TASKS)
    assert canary.post("/episodes", {"task": ["hard"]}).status_code == 422
    assert canary.post("/episodes", []).status_code == 422


def test_a_hard_episode_is_played_to_a_timely_rollback(canary):
    episode_id = begin(canary, task="hard")
    first = decide(canary, episode_id, GOOD[0])
    stepped = answers.Stepped.model_validate(first.json())
    assert stepped.evaluation is not None
    assert stepped.evaluation.step_reward == stepped.reward == 0.97
    assert "episode_result" not in first.json()
    last = answers.Stepped.model_validate(play(canary, episode_id, GOOD[1:]).json())
    result = last.episode_result
    assert last.done
    assert result is not None
    assert (result.outcome, result.episode_score, result.steps) == ("rollback", 0.9350, 6)
    assert result.rollback_assessment.relative_to_benchmark_point == "timely"
    assert result.rollback_assessment.relative_to_first_breach == "on_first_breach"
    assert canary.get(f"/episodes/{episode_id}/transcript").json() == last.model_dump()["episode_result"]


def test_a_transcript_tells_an_episode_as_it_stands(canary):
    episode_id = begin(canary, task="hard")
    empty = graded.EpisodeResult.model_validate(canary.get(f"/episodes/{episode_id}/transcript").json())
    assert (empty.outcome, empty.steps, empty.episode_score) == ("in_progress", 0, 0.0)
    play(canary, episode_id, GOOD[:2])
    shown = canary.get(f"/episodes/{episode_id}/transcript").json()
    assert next(iter(shown)) == "episode_id"
    assert list(shown["transcript"][0]) == list(graded.TranscriptEntry.model_fields)
    assert [entry["decision_number"] for entry in shown["transcript"]] == [1, 2]


def test_state_counts_decisions_and_not_refusals(canary):
    episode_id = begin(canary, task="silent", seed=5)
    decide(canary, episode_id, UP)
    decide(canary, episode_id, {})
    expected = {
        "episode_id": episode_id,
        "step_count": 1,
        "task_id": "silent",
        "seed": 5,
        "defaulted_task": False,
        "requested_task": "silent",
    }
    assert canary.get(f"/episodes/{episode_id}/state").json() == expected


def test_an_unknown_or_finished_episode_is_a_404_before_its_action_is_read(canary):
    finished = begin(canary)
    decide(canary, finished, ROLLBACK)
    for episode_id in (finished, "gone", f"ep_{'0' * 32}", canary.arena.start(GATE).episode_id):
        assert decide(canary, episode_id, {}).status_code == 404
        assert decide(canary, episode_id, UP).status_code == 404
        assert canary.get(f"/episodes/{episode_id}/state").status_code == 404
    assert canary.post("/episodes/gone/step", {}).status_code == 422
    assert canary.get("/episodes/gone/transcript").status_code == 404
    assert canary.row(finished).steps == 1


def test_one_that_ends_between_check_and_call_is_a_404(canary, monkeypatch):
    episode_id = begin(canary)
    row = canary.row(episode_id)
    decide(canary, episode_id, ROLLBACK)
    monkeypatch.setattr(canary.arena.store, "episode", lambda _: row)
    assert decide(canary, episode_id, UP).status_code == 404


@pytest.mark.parametrize("bad", BAD_ACTIONS)
def test_a_bad_action_is_a_422_in_words_and_changes_nothing(canary, bad):
    episode_id = begin(canary)
    answer = decide(canary, episode_id, bad)
    assert answer.status_code == 422
    assert isinstance(answer.json()["detail"], str)
    assert canary.get(f"/episodes/{episode_id}/state").json()["step_count"] == 0
    assert canary.codes(episode_id) == ["invalid_argument"]


def test_a_lax_flag_is_read_as_the_original_read_it(canary):
    episode_id = begin(canary)
    decide(canary, episode_id, UP | {"slo_breach_detected": "yes", "metadata": {"free": 1}})
    entry = canary.get(f"/episodes/{episode_id}/transcript").json()["transcript"][0]
    assert entry["action"] == UP | {"slo_breach_detected": True}


def test_an_episode_is_one_of_the_arena(canary):
    episode_id = canary.arena.start("classic-canary/hard/seed-0").episode_id
    play(canary, episode_id, GOOD[:5])
    canary.arena.call(episode_id, "decide_rollout", ROLLBACK)
    shown = canary.get(f"/episodes/{episode_id}/transcript").json()
    assert (shown["outcome"], shown["episode_score"]) == ("rollback", 0.9350)


def test_a_decision_with_an_action_id_is_applied_once_even_if_it_was_the_last(canary):
    episode_id = begin(canary)
    once, again = (decide(canary, episode_id, UP, action_id="a").json() for _ in range(2))
    assert once == again
    assert decide(canary, episode_id, ROLLBACK, action_id="a").status_code == 409
    last, resent = (decide(canary, episode_id, ROLLBACK, action_id="b").json() for _ in range(2))
    assert last == resent
    assert last["episode_result"]["steps"] == 2
    assert decide(canary, episode_id, UP, action_id="c").status_code == 404


def test_an_expired_episode_says_so(tmp_path):
    clock = Clock()
    with serving(classic_canary.build, tmp_path, clock) as canary:
        episode_id = begin(canary)
        clock.advance(hours=25)
        answer = decide(canary, episode_id, UP)
        assert (answer.status_code, "expired" in answer.json()["detail"]) == (404, True)
        assert canary.get(f"/episodes/{episode_id}/transcript").status_code == 404


def test_results_are_kept_unless_a_limit_is_set(tmp_path):
    def finished(canary: Served) -> list[str]:
        ids = [begin(canary) for _ in range(4)]
        for episode_id in ids:
            decide(canary, episode_id, ROLLBACK)
        return ids

    with serving(classic_canary.build, tmp_path, max_completed_episodes="2") as canary:
        ids = finished(canary)
        statuses = [canary.get(f"/episodes/{each}/transcript").status_code for each in ids]
        assert statuses == [404, 404, 200, 200]
    with serving(classic_canary.build, tmp_path) as canary:
        assert all(canary.get(f"/episodes/{each}/transcript").status_code == 200 for each in (*ids, *finished(canary)))


# --- the grader's token ---


def test_without_the_graders_token_a_step_has_a_reward_and_no_grading(guarded):
    episode_id = begin(guarded)
    assert decide(guarded, episode_id, UP).json().items() >= {"reward": 0.97, "evaluation": None}.items()
    assert decide(guarded, episode_id, UP, GRADER).json()["evaluation"]["step_reward"] == 0.97
    assert decide(guarded, episode_id, ROLLBACK).json()["episode_result"] is None


def test_without_the_graders_token_the_oracle_is_closed(guarded):
    episode_id = begin(guarded)
    asked = [("GET", f"/episodes/{episode_id}/transcript"), ("POST", "/grader"), ("POST", "/baseline")]
    for method, path in asked:
        assert guarded.client.request(method, path).status_code == 401
        assert guarded.client.request(method, path, headers={"authorization": "Bearer no"}).status_code == 401
        assert guarded.client.request(method, path, headers=GRADER).status_code in (200, 422)


# --- tasks and the baseline ---


def test_tasks_are_listed_with_what_is_expected_of_them(canary):
    listed = answers.TaskList.model_validate(canary.get("/tasks").json())
    assert [task.id for task in listed.tasks] == TASKS
    assert {task.id: task.correct_rollback_at for task in listed.tasks} == dict(BENCHMARKS)
    assert listed.slo_thresholds == {"error_rate": 0.005, "p99_ms": 200.0, "differential_p99_ms": 50.0}
    assert list(listed.scoring_weights.values()) == [0.35, 0.25, 0.30, 0.10]
    assert list(listed.observation_schema["properties"]) == OBSERVED
    assert len(listed.notes) == 11
    assert listed.notes["recommended_plain_http_interface"] == "/episodes"
    named = ("recommended_plain_http_flow", "state_assessment_contract", "reasoning_contract")
    assert all(listed.notes[name] for name in named)


def test_the_baseline_scores_as_published(canary):
    shown = answers.BaselineAnswer.model_validate(canary.post("/baseline").json())
    assert list(shown.scores.values()) == [0.9567, 0.8460, 0.8217, 0.6967, 0.9109, 0.8360]
    assert list(shown.scores) == TASKS
    assert shown.average == 0.8447
    assert [detail.steps for detail in shown.details.values()] == [3, 5, 6, 3, 11, 5]
    lo, hi = zip(*(task["expected_baseline_score"] for task in canary.get("/tasks").json()["tasks"]), strict=True)
    scores = [round(score, 2) for score in shown.scores.values()]
    assert all(low <= score <= high for low, score, high in zip(lo, scores, hi, strict=True))


def test_the_baseline_finds_the_tasks_harder_and_harder(canary):
    shown = answers.BaselineAnswer.model_validate(canary.post("/baseline").json())
    scores = shown.scores
    assert scores["easy"] > scores["medium"] > scores["hard"]
    assert scores["recovery"] > scores["expert"]
    for task in ("medium", "hard"):
        rollback = shown.details[task].rollback_assessment
        assert rollback.relative_to_first_breach == "on_first_breach"
        assert rollback.relative_to_benchmark_point == "late"


@pytest.mark.parametrize(
    "body", ['{"seed": NaN}', '{"seed": Infinity}', '{"seed": 1' + "0" * 5000 + "}", '{"\\ud800": 1}']
)
def test_what_is_hardly_json_never_makes_the_server_fail(canary, body):
    for path in ("/reset", "/step", "/episodes", "/grader", "/episodes/gone/step"):
        assert canary.client.post(path, content=body).status_code in (200, 422, 404)
