"""The episodes as resources: what each route shows, what it refuses, and what the log then holds."""

import pytest

from tests.doors.http.servekit import CANARY, GATE, HOLD, ROLLBACK, WRONG, begin, client_of, code_of, settings

MESSAGE = {"kind": "message", "data": {"role": "assistant", "content": "I would rather wait."}}


def call(http, episode_id, body):
    return http.post(f"/episodes/{episode_id}/step", json=body)


def test_an_episode_begins_and_says_where_it_is(http):
    answer = http.post("/episodes", json={"scenario": CANARY, "agent": "tester", "model": "none"})

    assert answer.status_code == 201
    begun = answer.json()
    assert answer.headers["location"] == f"/episodes/{begun['episode_id']}/state"
    assert http.get(answer.headers["location"]).json() == {
        key: begun[key] for key in ("episode_id", "step", "observation", "done", "terminal_reason")
    }


def test_an_unknown_field_is_refused_where_an_episode_begins(http):
    assert code_of(http.post("/episodes", json={"task": "easy"}), 422) == "invalid_argument"
    assert http.get("/episodes").json()["episodes"] == []


def test_a_call_is_answered_with_what_it_earned(http):
    episode_id = begin(http)

    answer = call(http, episode_id, HOLD)

    assert answer.status_code == 200
    assert answer.json()["step"] == 1
    assert 0 < answer.json()["reward"] <= 1


def test_a_refused_call_has_the_status_of_its_error_and_says_how_the_episode_stands(http):
    episode_id = begin(http, GATE)

    answer = call(http, episode_id, WRONG)

    assert code_of(answer, 422) == "unknown_artifact"
    assert {key: answer.json()[key] for key in ("episode_id", "step", "done", "reward")} == {
        "episode_id": episode_id,
        "step": 1,
        "done": False,
        "reward": -0.25,
    }


def test_a_call_on_an_episode_that_moved_on_is_a_conflict(http):
    episode_id = begin(http)
    call(http, episode_id, HOLD)

    assert code_of(call(http, episode_id, HOLD | {"expected_step": 0}), 409) == "conflict"


@pytest.mark.parametrize("body", [{}, {"tool": 1}, {"tool": "observe", "arguments": 5}, {"tool": "observe", "x": 1}])
def test_a_malformed_call_is_refused(http, body):
    assert code_of(call(http, begin(http), body), 422) == "invalid_argument"


def test_unknown_episodes_are_refused(http):
    assert code_of(call(http, "ep_0", HOLD), 404) == "unknown_episode"
    for view in ("state", "transcript", "events"):
        assert code_of(http.get(f"/episodes/ep_0/{view}"), 404) == "unknown_episode"
    assert code_of(http.post("/episodes/ep_0/events", json=MESSAGE), 404) == "unknown_episode"


def test_the_transcript_is_what_the_agent_saw_and_ends_with_the_grading(http):
    episode_id = begin(http)
    call(http, episode_id, HOLD)

    running = http.get(f"/episodes/{episode_id}/transcript").json()
    call(http, episode_id, ROLLBACK)
    ended = http.get(f"/episodes/{episode_id}/transcript").json()

    assert [entry["tool"] for entry in running["entries"]] == ["start_episode", "decide_rollout"]
    assert running["scenario"] == CANARY
    assert ended["done"] is True
    assert any("reward" in entry for entry in ended["entries"])


def test_a_transcript_comes_in_pages(http):
    episode_id = begin(http, GATE)
    for _ in range(12):
        call(http, episode_id, {"tool": "observe"})

    first = http.get(f"/episodes/{episode_id}/transcript").json()
    rest = http.get(f"/episodes/{episode_id}/transcript", params={"offset": first["next_offset"]}).json()

    assert first["truncated"]
    assert rest["offset"] == len(first["entries"])


def test_the_events_are_the_log_in_pages(http):
    episode_id = begin(http)
    call(http, episode_id, HOLD)

    first = http.get(f"/episodes/{episode_id}/events", params={"limit": 2}).json()
    rest = http.get(f"/episodes/{episode_id}/events", params={"after": first["next_after"]}).json()

    assert [event["kind"] for event in first["events"]] == ["episode_start", "tool_call"]
    assert [event["kind"] for event in rest["events"]] == ["tool_result"]
    assert rest["next_after"] is None
    assert rest["events"][-1]["hash"] == rest["head"]
    assert first["events"][0]["data"]["origin"]["door"] == "http"
    assert first["events"][0]["data"]["origin"]["client"] == "testclient"


def test_the_agents_side_is_recorded(http):
    episode_id = begin(http)

    answer = http.post(f"/episodes/{episode_id}/events", json=MESSAGE)
    usage = {"kind": "model_call", "data": {"model": "m", "input_tokens": 5, "output_tokens": 7}}
    http.post(f"/episodes/{episode_id}/events", json=usage)

    assert answer.status_code == 201
    assert answer.json() == {"episode_id": episode_id, "recorded": "message"}
    kinds = [event["kind"] for event in http.get(f"/episodes/{episode_id}/events").json()["events"]]
    assert kinds == ["episode_start", "message", "model_call"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "tool_call", "data": {}},
        {"kind": "message", "data": {"role": "nobody", "content": ""}},
        {"kind": "message", "data": "hello"},
        {"kind": 5, "data": {}},
        MESSAGE | {"more": 1},
    ],
)
def test_other_events_are_not_recorded(http, body):
    assert code_of(http.post(f"/episodes/{begin(http)}/events", json=body), 422) == "invalid_argument"


def test_the_list_pages_by_number_and_filters(http):
    ids = [begin(http, scenario) for scenario in (CANARY, GATE, CANARY, GATE, CANARY)]
    call(http, ids[2], ROLLBACK)

    def listed(**query):
        answer = http.get("/episodes", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    page = listed(limit=2)
    assert [each["episode_id"] for each in page["episodes"]] == ids[:2]
    assert [each["episode_id"] for each in listed(after=page["next_after"])["episodes"]] == ids[2:]
    assert [each["episode_id"] for each in listed(suite="classic-gate")["episodes"]] == [ids[1], ids[3]]
    assert [each["episode_id"] for each in listed(ended=True)["episodes"]] == [ids[2]]
    assert len(listed(agent="testclient")["episodes"]) == 5
    assert listed(agent="somebody else")["episodes"] == []
    assert listed(after=len(ids))["next_after"] is None


@pytest.mark.parametrize(
    "query", [{"limit": 0}, {"limit": 201}, {"after": -1}, {"suite": "nothing"}, {"agent": "a\x00"}, {"ended": "maybe"}]
)
def test_a_page_that_cannot_be_is_refused(http, query):
    assert code_of(http.get("/episodes", params=query), 422) == "invalid_argument"
    assert code_of(http.get("/scores", params=query), 422) == "invalid_argument"


def test_an_episode_outlives_the_server(tmp_path):
    with client_of(settings(tmp_path)) as http:
        episode_id = begin(http)
        call(http, episode_id, HOLD)
    with client_of(settings(tmp_path)) as http:
        assert call(http, episode_id, HOLD).json()["step"] == 2
