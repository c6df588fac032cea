"""The unified environment at the root, as OpenEnv drives it over plain HTTP."""

import pytest

from tests.doors.http.servekit import CANARY, GATE, HOLD, ROLLBACK, WRONG, begin, client_of, code_of, settings

DEFAULT = "classic-gate/green_ci_disabled_payment_test/medium/seed-42"


def reset(http, **body):
    answer = http.post("/reset", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def step(http, action):
    return http.post("/step", json={"action": action})


def test_the_environment_says_that_it_is_healthy_and_what_it_is(http):
    assert http.get("/health").json() == {"status": "healthy"}
    said = http.get("/metadata").json()
    assert said["name"] == "releaseops-arena"
    assert isinstance(said["description"], str)
    schemas = http.get("/schema").json()
    assert {"tool", "arguments", "episode_id", "action_id"} <= set(schemas["action"]["properties"])
    assert {"observation", "error", "episode_id"} <= set(schemas["observation"]["properties"])
    assert {"episode_id", "step_count"} <= set(schemas["state"]["properties"])


@pytest.mark.parametrize("options", [{}, {"json": {}}, {"json": {"scenario": None, "suite": None, "seed": None}}])
def test_a_reset_that_says_nothing_plays_classic_gate_at_its_defaults(http, options):
    begun = http.post("/reset", **options).json()

    assert begun["observation"]["scenario"] == DEFAULT
    assert begun["observation"]["episode_id"].startswith("ep_")
    assert (begun["reward"], begun["done"], begun["ignored"]) == (0.0, False, [])


@pytest.mark.parametrize(
    ("body", "scenario"),
    [
        ({"scenario": GATE}, GATE),
        ({"suite": "classic-canary"}, CANARY),
        ({"suite": "classic-canary", "seed": 7}, "classic-canary/easy/seed-7"),
        ({"seed": -3}, DEFAULT.replace("42", "-3")),
    ],
)
def test_a_reset_chooses_by_scenario_or_by_suite_and_seed(http, body, scenario):
    assert reset(http, **body)["observation"]["scenario"] == scenario


@pytest.mark.parametrize(
    "body",
    [
        {"scenario": CANARY, "seed": 1},
        {"scenario": "no/such"},
        {"scenario": 5},
        {"suite": "nothing"},
        {"suite": ["classic-gate"]},
        {"seed": 1.5},
        {"seed": True},
        {"seed": 10**18},
        {"agent": 7},
        ["not", "an", "object"],
    ],
)
def test_a_reset_that_does_not_fit_is_refused(http, body):
    assert code_of(http.post("/reset", json=body), 422) in ("invalid_argument", "unknown_scenario")


def test_unknown_fields_of_a_reset_are_echoed(http):
    assert reset(http, task="easy", options={"x": 1})["ignored"] == ["options", "task"]


def test_an_action_goes_to_the_episode_that_it_names(http):
    episode_id = reset(http, scenario=CANARY)["observation"]["episode_id"]

    answer = step(http, HOLD | {"episode_id": episode_id, "metadata": {}}).json()

    assert answer["observation"]["step"] == 1
    assert answer["observation"]["error"] is None
    assert 0 < answer["reward"] <= 1
    assert answer["done"] is False
    ended = step(http, ROLLBACK | {"episode_id": episode_id}).json()
    assert ended["done"] is True
    assert ended["observation"]["terminal_reason"] == "rollback"


def test_a_refused_call_is_an_observation_whose_cost_a_trainer_sees(http):
    episode_id = reset(http, scenario=GATE)["observation"]["episode_id"]

    answer = step(http, WRONG | {"episode_id": episode_id})

    assert answer.status_code == 200
    assert answer.json()["observation"]["error"].startswith("unknown_artifact: ")
    assert answer.json()["reward"] == -0.25


def test_a_named_action_is_applied_once(http):
    episode_id = reset(http, scenario=CANARY)["observation"]["episode_id"]
    action = HOLD | {"episode_id": episode_id, "action_id": "only-once"}

    first, again = step(http, action).json(), step(http, action).json()

    assert first == again
    assert http.get("/state", params={"episode_id": episode_id}).json()["step_count"] == 1


def test_without_an_episode_the_uninitialised_observation_comes_back(http):
    for nothing in ({}, {"episode_id": None}, {"episode_id": ""}):
        answer = step(http, HOLD | nothing).json()
        assert (answer["done"], answer["reward"]) == (True, 0.0)
        assert answer["observation"]["episode_id"] is None
        assert answer["observation"]["error"].startswith("uninitialised: ")
    state = http.get("/state").json()
    assert (state["episode_id"], state["step_count"], state["done"]) == (None, 0, True)


def test_the_state_shows_where_an_episode_stands(http):
    episode_id = reset(http, scenario=CANARY)["observation"]["episode_id"]
    shown = step(http, HOLD | {"episode_id": episode_id}).json()["observation"]["observation"]

    state = http.get("/state", params={"episode_id": episode_id}).json()

    assert state["step_count"] == 1
    assert state["observation"] == shown


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": "hold"},
        {"action": {}},
        {"action": {"tool": 5}},
        {"action": {"tool": "observe", "arguments": []}},
        {"action": {"tool": "observe", "args": {}}},
        {"action": {"tool": "list_scenarios", "episode_id": "ep_0"}},
    ],
)
def test_a_malformed_action_is_refused(http, body):
    assert code_of(http.post("/step", json=body), 422) == "invalid_argument"


@pytest.mark.parametrize("episode_id", ["ep_0", "\N{SNOWMAN}", "x" * 500, "\n"])
def test_an_unknown_episode_is_refused_on_every_route(http, episode_id):
    assert code_of(step(http, HOLD | {"episode_id": episode_id}), 404) == "unknown_episode"
    assert code_of(http.get("/state", params={"episode_id": episode_id}), 404) == "unknown_episode"
    assert code_of(http.post("/reset", json={"episode_id": episode_id}), 404) == "unknown_episode"


def test_a_reset_resumes_an_episode_by_its_id(http):
    episode_id = begin(http)
    shown = step(http, HOLD | {"episode_id": episode_id}).json()["observation"]["observation"]

    resumed = reset(http, episode_id=episode_id)["observation"]

    assert (resumed["step"], resumed["scenario"], resumed["observation"]) == (1, CANARY, shown)
    clash = http.post("/reset", json={"episode_id": episode_id, "seed": 1})
    assert code_of(clash, 422) == "invalid_argument"


def test_a_full_arena_says_when_to_try_again(tmp_path):
    with client_of(settings(tmp_path, max_open_episodes=1)) as http:
        reset(http)
        for refused in (http.post("/reset"), http.post("/episodes")):
            assert code_of(refused, 429) == "at_capacity"
            assert int(refused.headers["retry-after"]) > 0


def test_an_idle_episode_says_that_it_has_expired(tmp_path):
    with client_of(settings(tmp_path, idle_hours=1e-9)) as http:
        episode_id = reset(http)["observation"]["episode_id"]
        assert code_of(step(http, HOLD | {"episode_id": episode_id}), 404) == "episode_expired"
        assert code_of(http.get(f"/episodes/{episode_id}/state"), 404) == "episode_expired"
