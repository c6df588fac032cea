"""The original arena's HTTP contract at /classic-gate: routes, fields, statuses and the order of checks."""

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from releaseops_mcp.doors.http import classic_gate
from releaseops_mcp.doors.http.classic_gate import contract
from releaseops_mcp.doors.http.classic_gate.observation import GateObservation
from releaseops_mcp.errors import StoreUnavailable
from tests.clock import Clock
from tests.doors.http.classickit import GRADER, Served, live_checks, serving, undocumented

HOLD = {"tool": "hold_release", "arguments": {"reason_code": "awaiting_fix"}}
WRONG = {"tool": "inspect_ticket", "arguments": {"ticket_id": "ticket_none"}}
LONG_CLOCK = {"seed": 42}
"""36 hours: two holds are survived, the third one misses the deadline."""


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Served]:
    with serving(classic_gate.build, tmp_path) as served:
        yield served


def begin(gate: Served, **keywords: Any) -> str:
    answer = gate.post("/reset", keywords)
    assert answer.status_code == 200, answer.text
    return answer.json()["env_id"]


def step(gate: Served, env_id: Any, call: dict[str, Any], **more: Any) -> Any:
    return gate.post("/step", {"env_id": env_id, **call, **more})


def play_out(gate: Served, env_id: str) -> Any:
    answers = [step(gate, env_id, HOLD) for _ in range(3)]
    return answers[-1]


def test_a_reset_without_keywords_plays_the_originals_defaults(gate):
    answer = gate.client.post("/reset")
    shown = contract.ResetAnswer.model_validate(answer.json())
    assert (shown.reward, shown.done) == (0.0, False)
    assert gate.row(shown.env_id).scenario == "classic-gate/green_ci_disabled_payment_test/medium/seed-42"
    assert list(answer.json()["observation"]) == list(GateObservation.model_fields)


def test_a_whole_dataset_row_may_be_passed(gate):
    row = {"prompt": [{"role": "user"}], "family": "careful_qa_safe", "seed": 7, "difficulty": "low", "split": "train"}
    assert gate.row(begin(gate, **row)).scenario == "classic-gate/careful_qa_safe/low/seed-7"


def test_a_null_seed_draws_an_integer_and_logs_it(gate):
    scenarios = {gate.row(begin(gate, seed=None)).scenario for _ in range(3)}
    assert len(scenarios) == 3
    assert all(scenario.rpartition("/seed-")[2].isdecimal() for scenario in scenarios)


@pytest.mark.parametrize("seed", ["42", 1.5, True, [1], {}, 10**18, -(10**18)])
def test_a_seed_that_is_no_integer_of_18_digits_is_a_422(gate, seed):
    answer = gate.post("/reset", {"seed": seed})
    assert answer.status_code == 422
    assert "18 digits" in answer.json()["detail"]


@pytest.mark.parametrize("family", ["unheard-of", "", None, 7, ["careful_qa_safe"]])
def test_an_unknown_family_is_a_422(gate, family):
    answer = gate.post("/reset", {"family": family})
    assert answer.status_code == 422
    assert "careful_qa_safe" in answer.json()["detail"]


@pytest.mark.parametrize("body", ["[]", '"text"', "7", "{", "null"])
def test_a_reset_that_is_no_object_is_a_422(gate, body):
    assert gate.client.post("/reset", content=body).status_code == 422


@pytest.mark.parametrize("difficulty", ["high", "", " low", "LOW", "a/b ü\n%", "x" * 500, None, 5, ["low"], "\ud800"])
def test_any_other_difficulty_plays_as_medium(gate, difficulty):
    shown = gate.client.post("/reset", content=json.dumps({"difficulty": difficulty})).json()
    medium = gate.post("/reset", {}).json()
    assert shown["observation"] == medium["observation"]
    assert gate.row(shown["env_id"]).scenario.startswith("classic-gate/green_ci_disabled_payment_test/")


def test_at_the_limit_a_reset_is_a_429_until_an_environment_ends(tmp_path):
    with serving(classic_gate.build, tmp_path, max_concurrent_envs=2) as gate:
        first, second = begin(gate), begin(gate)
        refused = gate.post("/reset", {})
        assert (refused.status_code, refused.headers["retry-after"].isdecimal()) == (429, True)
        assert gate.get("/health").json() == {
            "ok": True,
            "status": "healthy",
            "active_sessions": 2,
            "max_concurrent_envs": 2,
        }
        gate.post("/close", {"env_id": first})
        third = begin(gate)
        play_out(gate, second)
        assert gate.get("/health").json()["active_sessions"] == 1
        begin(gate)
        gate.arena.finish(third)
        begin(gate)


def test_an_expired_environment_frees_its_seat(tmp_path):
    clock = Clock()
    with serving(classic_gate.build, tmp_path, clock, max_concurrent_envs=1) as gate:
        expired = begin(gate)
        clock.advance(hours=25)
        begin(gate)
        assert step(gate, expired, HOLD).status_code == 404


def test_a_reset_that_fails_takes_no_seat(gate, monkeypatch):
    def unavailable(*_: Any) -> None:
        raise StoreUnavailable("the log is out of reach")

    monkeypatch.setattr(gate.arena, "start", unavailable)
    refused = gate.post("/reset", {})
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert refused.json() == {"detail": "the log is out of reach"}
    assert gate.get("/health").json()["active_sessions"] == 0
    begin(gate)


def test_a_step_answers_result_observation_and_cumulative_reward(gate):
    env_id = begin(gate, **LONG_CLOCK)
    held = step(gate, env_id, HOLD).json()
    shown = contract.StepAnswer.model_validate(held)
    assert shown.result["updated_observation"] == held["observation"]
    assert (shown.env_id, shown.reward, shown.done, shown.terminal_reason) == (env_id, 0.0, False, None)
    ref = held["observation"]["proposals"][0]["refs"][0]
    call = {"tool": "inspect_ci_run", "arguments": {"run_id": ref}}
    rewards = [step(gate, env_id, call).json()["reward"] for _ in range(2)]
    assert [round(reward, 4) for reward in rewards] == [-0.05, -0.1]


ENV, TOOL, ARGUMENTS, SESSION, NAME = "env_id", "tool", "arguments", "no live episode", "has no tool"


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({}, 400, ENV),
        ({"env_id": ""}, 400, ENV),
        ({"env_id": None, "tool": "x"}, 400, ENV),
        ({"env_id": "gone", "arguments": 7}, 400, TOOL),
        ({"env_id": "gone", "tool": ""}, 400, TOOL),
        ({"env_id": "gone", "tool": "x", "arguments": None}, 400, ARGUMENTS),
        ({"env_id": "gone", "tool": "x", "arguments": []}, 400, ARGUMENTS),
        ({"env_id": "gone", "tool": 7}, 404, SESSION),
        ({"env_id": ["gone"], "tool": "x"}, 404, SESSION),
        ({"env_id": "\x00", "tool": "x"}, 404, SESSION),
        ({"env_id": f"ep_{'0' * 32}", "tool": "x"}, 404, SESSION),
    ],
)
def test_a_step_is_checked_in_the_originals_order(gate, body, status, says):
    answer = gate.post("/step", body)
    assert answer.status_code == status
    assert says in answer.json()["detail"]


@pytest.mark.parametrize("tool", ["reset", "close", "_state", "__init__", "observe", "finish_episode", 7, ["reset"]])
def test_only_tools_may_be_called_and_others_are_free(gate, tool):
    env_id = begin(gate, **LONG_CLOCK)
    answer = step(gate, env_id, {"tool": tool})
    assert answer.status_code == 400
    assert NAME in answer.json()["detail"]
    assert step(gate, env_id, HOLD).json()["reward"] == 0.0
    assert gate.codes(env_id) == ["unknown_tool", None]


def test_a_value_error_is_a_400_whose_price_shows_later(gate):
    env_id = begin(gate, **LONG_CLOCK)
    refused = step(gate, env_id, WRONG)
    assert refused.status_code == 400
    assert refused.json().keys() == {"detail"}
    assert step(gate, env_id, HOLD).json()["reward"] == -0.25
    assert gate.codes(env_id) == ["unknown_artifact", None]


@pytest.mark.parametrize("arguments", [{}, {"reason": "awaiting_fix"}, {"reason_code": "awaiting_fix", "more": 1}])
def test_wrong_argument_names_are_a_400_and_free(gate, arguments):
    env_id = begin(gate, **LONG_CLOCK)
    assert step(gate, env_id, HOLD | {"arguments": arguments}).status_code == 400
    assert step(gate, env_id, HOLD).json()["reward"] == 0.0


def test_a_finished_environment_is_a_404_and_costs_nothing_more(gate):
    env_id = begin(gate, **LONG_CLOCK)
    last = contract.StepAnswer.model_validate(play_out(gate, env_id).json())
    assert (last.done, last.terminal_reason, last.reward) == (True, "missed_deadline", -0.6)
    assert step(gate, env_id, HOLD).status_code == 404
    assert gate.post("/close", {"env_id": env_id}).status_code == 404
    assert gate.get("/state", params={"env_id": env_id}).status_code == 404
    assert gate.total(env_id) == -0.6


def test_an_environment_that_another_process_finished_is_a_404(gate, tmp_path):
    env_id = begin(gate, **LONG_CLOCK)
    step(gate, env_id, HOLD)
    with serving(classic_gate.build, tmp_path) as other:
        assert step(other, env_id, HOLD).json()["done"] is False
        assert step(other, env_id, HOLD).json()["done"] is True
    assert step(gate, env_id, HOLD).status_code == 404
    assert gate.total(env_id) == -0.6


def test_one_that_ends_between_check_and_call_is_a_404(gate, monkeypatch):
    env_id = begin(gate, **LONG_CLOCK)
    row = gate.row(env_id)
    play_out(gate, env_id)
    monkeypatch.setattr(gate.arena.store, "episode", lambda _: row)
    assert step(gate, env_id, HOLD).status_code == 404


def test_an_environment_is_an_episode_of_the_arena(gate):
    started = gate.arena.start("classic-gate/careful_qa_safe/medium/seed-1")
    shown = step(gate, started.episode_id, HOLD)
    assert shown.status_code == 200
    assert gate.arena.peek(started.episode_id).observation == shown.json()["observation"]
    assert step(gate, gate.arena.start("classic-canary/easy/seed-0").episode_id, HOLD).status_code == 404


def test_a_step_with_an_action_id_is_applied_once_even_if_it_was_the_last(gate):
    env_id = begin(gate, **LONG_CLOCK)
    once, again = (step(gate, env_id, HOLD, action_id="first").json() for _ in range(2))
    assert once == again
    step(gate, env_id, HOLD, action_id="")
    last, resent = (step(gate, env_id, HOLD, action_id="third") for _ in range(2))
    assert last.json()["done"] is True
    assert last.json() == resent.json()
    assert step(gate, env_id, HOLD, action_id="fourth").status_code == 404
    assert gate.total(env_id) == -0.6


def test_an_action_id_of_another_call_is_a_409(gate):
    env_id = begin(gate, **LONG_CLOCK)
    step(gate, env_id, HOLD, action_id="first")
    assert step(gate, env_id, WRONG, action_id="first").status_code == 409
    assert step(gate, env_id, HOLD, action_id=7).status_code == 400


def test_close_ends_an_environment_for_good(gate):
    env_id = begin(gate)
    assert gate.post("/close", {"env_id": env_id}).json() == {"env_id": env_id, "closed": True}
    assert gate.post("/close", {"env_id": env_id}).status_code == 404
    assert step(gate, env_id, HOLD).status_code == 404
    assert gate.row(env_id).ended
    assert gate.post("/close", {}).status_code == 400


def test_state_names_an_environment_or_none(gate):
    env_id = begin(gate)
    step(gate, env_id, WRONG)
    expected = {"episode_id": env_id, "step_count": 1, "done": False, "terminal_reason": None}
    assert gate.get("/state", params={"env_id": env_id}).json() == expected
    nobody = gate.get("/state").json()
    assert nobody["step_count"] == 0
    assert nobody["episode_id"] != gate.get("/state").json()["episode_id"]
    assert gate.get("/state", params={"env_id": "gone"}).status_code == 404


def test_openenv_can_drive_it(gate):
    assert all(live_checks(gate).values())
    assert undocumented(gate) == []


def results(gate: Served) -> dict[str, Any]:
    """Wait for an evaluation and return what it came to."""
    until = monotonic() + 20
    while monotonic() < until:
        shown = gate.get("/api/get-eval-results").json()
        if shown["status"] != "pending_or_missing":
            return shown
        sleep(0.02)
    raise AssertionError("the evaluation has not ended")


def test_an_evaluation_lets_the_baselines_play_a_few_rows(gate):
    assert gate.get("/api/get-eval-results").json()["status"] == "pending_or_missing"
    started = gate.client.post("/api/run-eval", params={"limit": 2, "model_id": "some/model"})
    assert "no model is loaded" in started.json()["message"]
    shown = results(gate)
    assert (shown["seen"]["count"], shown["unseen"]["count"], shown["overall"]["count"]) == (2, 2, 4)
    assert shown["unseen"]["naive"]["avg_reward"] == -1.0
    assert shown["overall"]["phase_aware_rule"]["avg_false_blocks"] == 0.0
    assert (shown["status"], shown["model_id"]) == ("complete", "some/model")
    assert gate.arena.store.count() == 12


def test_only_one_evaluation_runs_at_a_time_and_a_failure_is_told(gate, monkeypatch):
    def look(_: Any) -> None:
        while waiting:
            sleep(0.01)
        raise StoreUnavailable("the log is out of reach")

    waiting = [True]
    monkeypatch.setattr(gate.door, "look", look)
    gate.client.post("/api/run-eval")
    assert "already running" in gate.client.post("/api/run-eval").json()["message"]
    waiting.clear()
    assert results(gate) == {"status": "failed", "message": "store_unavailable: the log is out of reach"}


def test_an_evaluation_is_bounded_and_needs_the_graders_token(tmp_path):
    with serving(classic_gate.build, tmp_path, grader_token="the-grader") as gate:
        assert gate.client.post("/api/run-eval").status_code == 401
        assert gate.client.post("/api/run-eval", params={"limit": 21}, headers=GRADER).status_code == 422
        assert gate.client.post("/api/run-eval", params={"limit": 1}, headers=GRADER).status_code == 200
        assert results(gate)["overall"]["count"] == 2
