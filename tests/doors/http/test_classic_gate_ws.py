"""Classic-gate over OpenEnv's WebSocket."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from releaseops_mcp.doors.http import classic_gate
from releaseops_mcp.doors.http.classic_gate import contract
from tests.doors.http.classickit import Served, connected, serving

HOLD = {"tool": "hold_release", "arguments": {"reason_code": "awaiting_fix"}}
WRONG = {"tool": "inspect_ticket", "arguments": {"ticket_id": "ticket_none"}}


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Served]:
    with serving(classic_gate.build, tmp_path) as served:
        yield served


def test_an_episode_is_played_to_its_end_and_beyond(gate):
    with connected(gate) as socket:
        kind, begun = socket.send("reset", {"seed": 42, "prompt": "ignored"})
        shown = contract.WsObservation.model_validate(begun["observation"])
        assert (kind, begun["reward"], begun["done"], shown.result) == ("observation", 0.0, False, None)
        kind, refused = socket.send("step", WRONG)
        assert (kind, refused["code"]) == ("error", "EXECUTION_ERROR")
        assert refused["message"].startswith("unknown_artifact: ")
        _, held = socket.send("step", HOLD)
        assert held["reward"] == -0.25
        assert contract.WsObservation.model_validate(held["observation"]).result
        socket.send("step", HOLD)
        _, last = socket.send("step", HOLD)
        assert (last["reward"], last["done"], last["observation"]["terminal_reason"]) == (
            -0.85,
            True,
            "missed_deadline",
        )
        _, over = socket.send("step", HOLD)
        assert over["message"].startswith("terminal: ")
        _, state = socket.send("state")
    expected = {"episode_id": shown.env_id, "step_count": 5, "done": True, "terminal_reason": "missed_deadline"}
    assert state == expected
    assert round(gate.total(shown.env_id or ""), 4) == -1.1


def test_before_a_reset_there_is_nothing(gate):
    with connected(gate) as socket:
        _, nothing = socket.send("step", HOLD)
        assert contract.WsObservation.model_validate(nothing["observation"]).observation == {}
        assert (nothing["reward"], nothing["done"]) == (0.0, True)
        assert socket.send("state")[1]["step_count"] == 0
    assert gate.arena.store.count() == 0


@pytest.mark.parametrize(
    "action",
    [{}, {"tool": 7}, {"tool": "hold_release", "arguments": []}, {"tool": "hold_release", "env_id": "x"}],
)
def test_a_malformed_action_is_a_validation_error(gate, action):
    with connected(gate) as socket:
        socket.send("reset", {})
        kind, error = socket.send("step", action)
        assert (kind, error["code"]) == ("error", "VALIDATION_ERROR")
        assert error["errors"][0]["loc"][0] == "data"


@pytest.mark.parametrize("data", [{"family": "unheard-of"}, {"seed": "x"}])
def test_keywords_that_name_no_world_are_an_execution_error(gate, data):
    with connected(gate) as socket:
        assert socket.send("reset", data)[1]["code"] == "EXECUTION_ERROR"
        assert socket.send("reset", {})[0] == "observation"


def test_the_protocols_own_errors(gate):
    with connected(gate) as socket:
        assert socket.raw("{")[1]["code"] == "INVALID_JSON"
        assert socket.send("dance")[1]["code"] == "UNKNOWN_TYPE"
        assert socket.send("mcp", {})[1]["error"]["code"] == -32600


def test_a_drop_is_resumed_by_the_episodes_id(gate):
    with connected(gate) as socket:
        env_id = socket.send("reset", {})[1]["observation"]["env_id"]
        socket.send("step", WRONG)
        _, held = socket.send("step", HOLD | {"action_id": "held"})
    with connected(gate) as socket:
        _, resumed = socket.send("reset", {"episode_id": env_id})
        assert resumed["observation"]["observation"] == held["observation"]["observation"]
        assert (resumed["reward"], resumed["done"]) == (-0.25, False)
        assert socket.send("step", HOLD | {"action_id": "held"})[1] == held
        assert socket.send("reset", {"episode_id": "mine"})[1]["observation"]["env_id"] != env_id
        assert socket.send("reset", {"episode_id": f"ep_{'0' * 32}"})[1]["code"] == "EXECUTION_ERROR"


def test_several_sessions_play_side_by_side(gate):
    with connected(gate) as one, connected(gate) as two:
        one.send("reset", {"family": "careful_qa_safe"})
        two.send("reset", {"seed": 1})
        assert one.send("state")[1]["episode_id"] != two.send("state")[1]["episode_id"]
