"""The graded oracle, the catalogue, and who may see which of it."""

import pytest

from releaseops_mcp.doors.http import access
from tests.doors.http.servekit import CANARY, GATE, GRADER, HOLD, ROLLBACK, TOKEN, begin, client_of, code_of, settings

BASELINE_AT_SEED_0 = [0.9567, 0.846, 0.8217, 0.6967, 0.9109, 0.836]
"""The original's published figures: easy, medium, hard, expert, recovery, silent."""


def finished(http, scenario=CANARY, headers=None):
    episode_id = begin(http, scenario, headers)
    for call in (HOLD, ROLLBACK):
        assert http.post(f"/episodes/{episode_id}/step", json=call, headers=headers).status_code == 200
    return episode_id


@pytest.fixture
def guarded(tmp_path):
    with client_of(settings(tmp_path, token="the-token", grader_token="the-grader")) as client:
        yield client


@pytest.fixture
def closed_canary(monkeypatch):
    """Let one suite keep its ids closed, as canary and gate will."""
    monkeypatch.setattr(access, "is_open", lambda suite: suite == "classic-gate")


def test_the_grader_accounts_for_an_episode_step_by_step(http):
    episode_id = finished(http)

    account = http.post("/grader", json={"episode_id": episode_id}).json()

    assert account["validity"] == "complete"
    assert [step["tool"] for step in account["steps"]] == ["decide_rollout", "decide_rollout"]
    assert account["reward"] == http.get("/scores").json()["scores"][0]["total"]


def test_a_running_episode_can_be_accounted_for(http):
    account = http.post("/grader", json={"episode_id": begin(http, GATE)}).json()

    assert (account["validity"], account["ended"], account["steps"]) == ("running", False, [])


@pytest.mark.parametrize("body", [{}, {"episode_id": 5}, {"episode_id": "ep_0", "action": {}}, []])
def test_a_malformed_question_to_the_grader_is_refused(http, body):
    assert code_of(http.post("/grader", json=body), 422) == "invalid_argument"


def test_the_grader_knows_no_strangers(http):
    assert code_of(http.post("/grader", json={"episode_id": "ep_0"}), 404) == "unknown_episode"


def test_the_scores_list_every_episode_and_say_which_have_none(http):
    ended, running = finished(http), begin(http, GATE)

    first = http.get("/scores", params={"limit": 1}).json()
    (second,) = http.get("/scores", params={"after": first["next_after"]}).json()["scores"]

    assert first["scores"][0]["episode_id"] == ended
    assert first["scores"][0]["validity"] == "complete"
    assert (second["episode_id"], second["total"], second["components"]) == (running, None, {})


def test_the_baselines_play_every_family_to_the_published_figures(http):
    suites = http.post("/baseline").json()["suites"]

    canary = suites["classic-canary"]
    assert [each["reward"] for each in canary["episodes"]] == BASELINE_AT_SEED_0
    assert (canary["agent"], canary["average"]) == ("baseline", 0.8447)
    assert len(suites["classic-gate"]["episodes"]) == 4


def test_a_baseline_can_be_narrowed(http):
    suites = http.post("/baseline", json={"suite": "classic-canary", "seed": 3}).json()["suites"]

    assert list(suites) == ["classic-canary"]
    assert all(each["scenario"].endswith("/seed-3") for each in suites["classic-canary"]["episodes"])
    for body in ({"suite": "nothing"}, {"seed": "3"}, {"more": 1}):
        assert code_of(http.post("/baseline", json=body), 422) == "invalid_argument"


def test_the_suites_are_shown_with_their_policies(http):
    suites = {suite["name"]: suite for suite in http.get("/suites").json()["suites"]}

    assert suites["classic-canary"]["default_scenario"] == CANARY
    assert suites["classic-canary"]["splits"]["published"] == 6
    assert suites["classic-gate"]["policy"].startswith("#")


def test_the_tasks_are_listed_with_the_tools_to_play_them(http):
    tasks = http.get("/tasks", params={"suite": "classic-canary", "split": "published"}).json()

    assert tasks["total"] == 6
    assert "decide_rollout" in {tool["name"] for tool in tasks["tools"]}
    assert "hold_release" not in {tool["name"] for tool in tasks["tools"]}
    assert http.get("/tasks").json()["truncated"] is True
    assert code_of(http.get("/tasks", params={"split": "nothing"}), 422) == "invalid_argument"


@pytest.mark.parametrize("headers", [{}, TOKEN, {"authorization": "Bearer wrong"}, {"authorization": "Basic x"}])
def test_where_a_grader_token_is_set_nothing_graded_is_shown_without_it(guarded, headers):
    episode_id = finished(guarded, headers=TOKEN)

    for route in ("/scores", "/episodes", f"/episodes/{episode_id}/events"):
        assert code_of(guarded.get(route, headers=headers), 401) == "unauthorized"
        assert guarded.get(route, headers=GRADER).status_code == 200
    for route, body in (("/grader", {"episode_id": episode_id}), ("/baseline", {})):
        assert code_of(guarded.post(route, json=body, headers=headers), 401) == "unauthorized"
        assert guarded.post(route, json=body, headers=GRADER).status_code == 200
    event = {"kind": "message", "data": {"role": "user", "content": "hello"}}
    assert code_of(guarded.post(f"/episodes/{episode_id}/events", json=event, headers=headers), 401) == "unauthorized"
    assert guarded.post(f"/episodes/{episode_id}/events", json=event, headers=GRADER).status_code == 201
    transcript = guarded.get(f"/episodes/{episode_id}/transcript", headers=headers).json()
    assert not any("reward" in entry for entry in transcript["entries"])


def test_the_reward_of_a_step_stays_for_trainers(guarded):
    answer = guarded.post(f"/episodes/{begin(guarded, headers=TOKEN)}/step", json=HOLD, headers=TOKEN)
    assert answer.json()["reward"] > 0


def test_without_a_grader_token_the_grading_of_a_closed_suite_is_shown_to_nobody(http, closed_canary):
    shut, open_one = finished(http), begin(http, GATE)

    assert code_of(http.post("/grader", json={"episode_id": shut}), 403) == "forbidden"
    assert code_of(http.get(f"/episodes/{shut}/events"), 403) == "forbidden"
    assert code_of(http.get("/scores", params={"suite": "classic-canary"}), 403) == "forbidden"
    assert code_of(http.post("/baseline", json={"suite": "classic-canary"}), 403) == "forbidden"
    assert [each["episode_id"] for each in http.get("/episodes").json()["episodes"]] == [open_one]
    assert [each["episode_id"] for each in http.get("/scores").json()["scores"]] == [open_one]
    assert list(http.post("/baseline").json()["suites"]) == ["classic-gate"]
    assert not any("reward" in entry for entry in http.get(f"/episodes/{shut}/transcript").json()["entries"])
