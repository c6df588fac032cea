"""Classic-canary over OpenEnv's WebSocket, as the original's framework answered."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from releaseops_mcp.doors.http import classic_canary
from releaseops_mcp.doors.http.classic_canary import uninitialised
from tests.doors.http.classickit import Served, connected, serving

UP = {
    "action_type": "increase_10",
    "reasoning": "enough of a reason",
    "slo_breach_detected": False,
    "state_assessment": "healthy",
}
ROLLBACK = UP | {"action_type": "rollback"}


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Served]:
    with serving(classic_canary.build, tmp_path) as served:
        yield served


def test_before_a_reset_a_step_shows_the_uninitialised_observation(canary):
    with connected(canary) as socket:
        assert socket.send("step", UP) == ("observation", uninitialised.step_result())
        assert socket.send("step", {})[1]["code"] == "VALIDATION_ERROR"
        assert socket.send("state")[1].keys() == {"episode_id", "step_count"}
    assert canary.arena.store.count() == 0


def test_an_episode_is_played_and_stays_usable_after_its_end(canary):
    with connected(canary) as socket:
        kind, begun = socket.send("reset", {"task": "hard", "seed": 3, "more": "ignored"})
        assert (kind, begun["reward"], begun["done"], begun["observation"]["step_number"]) == (
            "observation",
            0.0,
            False,
            0,
        )
        _, moved = socket.send("step", UP)
        assert (moved["reward"], moved["done"], moved["observation"]["traffic_pct"]) == (0.97, False, 0.1)
        _, last = socket.send("step", ROLLBACK)
        assert last["done"] is True
        _, after = socket.send("step", UP)
        assert after == last | {"reward": 0.0}
        _, state = socket.send("state")
        assert state.items() >= {"step_count": 2, "task_id": "hard", "seed": 3, "requested_task": "hard"}.items()
        assert socket.send("reset")[1]["done"] is False
    assert canary.row(state["episode_id"]).scenario == "classic-canary/hard/seed-3"


@pytest.mark.parametrize("task", ["unheard-of", None, 7, ["hard"]])
def test_an_unknown_task_is_easy_and_the_state_says_so(canary, task):
    with connected(canary) as socket:
        socket.send("reset", {"task": task})
        _, state = socket.send("state")
    assert (state["task_id"], state["defaulted_task"], state["requested_task"]) == ("easy", True, task)


@pytest.mark.parametrize(
    ("seed", "read"), [(None, 0), ("7", 7), ("", 0), ([], 0), (True, 1), (2.9, 2), (-4, -4), (0, 0)]
)
def test_a_seed_is_read_as_the_original_read_it(canary, seed, read):
    with connected(canary) as socket:
        socket.send("reset", {"task": "easy", "seed": seed})
        assert socket.send("state")[1]["seed"] == read


@pytest.mark.parametrize("seed", ["x", [1], {"a": 1}, float("inf"), 10**18])
def test_a_seed_that_cannot_be_read_is_an_execution_error(canary, seed):
    with connected(canary) as socket:
        assert socket.send("reset", {"seed": seed})[1]["code"] == "EXECUTION_ERROR"


@pytest.mark.parametrize("bad", [{}, UP | {"more": 1}, UP | {"reasoning": float("nan")}, {"\ud800": 1}])
def test_a_bad_action_is_a_validation_error_and_logged(canary, bad):
    with connected(canary) as socket:
        socket.send("reset", {})
        kind, error = socket.send("step", bad)
        _, state = socket.send("state")
    assert (kind, error["code"]) == ("error", "VALIDATION_ERROR")
    assert error["errors"]
    assert state["step_count"] == 0
    assert canary.codes(state["episode_id"]) == ["invalid_argument"]


def test_an_action_beyond_the_logs_limits_is_refused_in_words(canary):
    with connected(canary) as socket:
        socket.send("reset", {})
        kind, error = socket.send("step", {"metadata": {"values": [0] * 20_001}} | UP)
    assert (kind, error["code"]) == ("error", "EXECUTION_ERROR")
    assert "action_type is missing" in error["message"]


def test_the_protocols_own_errors(canary):
    with connected(canary) as socket:
        assert socket.raw("not json")[1]["code"] == "INVALID_JSON"
        assert socket.send("dance")[1]["code"] == "UNKNOWN_TYPE"
        assert socket.send("mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})[1]["error"]["code"] == -32603


def test_a_drop_is_resumed_by_the_episodes_id(canary):
    with connected(canary) as socket:
        socket.send("reset", {"task": "silent"})
        _, moved = socket.send("step", UP)
        episode_id = socket.send("state")[1]["episode_id"]
    with connected(canary) as socket:
        _, resumed = socket.send("reset", {"episode_id": episode_id})
        assert resumed == moved | {"reward": 0.0}
        _, state = socket.send("state")
        assert state.items() >= {"episode_id": episode_id, "step_count": 1, "requested_task": "silent"}.items()
        socket.send("reset", {"episode_id": "mine"})
        assert socket.send("state")[1]["episode_id"] not in (episode_id, "mine")
        assert socket.send("reset", {"episode_id": f"ep_{'0' * 32}"})[1]["code"] == "EXECUTION_ERROR"


def test_many_sessions_play_side_by_side(canary):
    def state(socket: Any) -> str:
        return socket.send("state")[1]["episode_id"]

    with connected(canary) as one, connected(canary) as two, connected(canary) as three:
        for socket in (one, two, three):
            assert socket.send("reset", {"seed": 0})[0] == "observation"
        assert len({state(one), state(two), state(three)}) == 3
