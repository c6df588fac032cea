"""OpenEnv's WebSocket protocol: every frame and every error, many sockets side by side, and going on after a drop."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from socket import SHUT_RDWR

import pytest

from releaseops_mcp.doors.http.websocket import InvalidFrame, answer, invalid_data
from releaseops_mcp.errors import AtCapacity, UnknownEpisode
from tests.doors.http.servekit import CANARY, GATE, HOLD, ROLLBACK, WRONG, ask, live, settings, socket_of

SOCKETS = 256


class Scripted:
    """A session that does what its data says."""

    def reset(self, data):
        raise {"full": AtCapacity("full"), "gone": UnknownEpisode("gone"), "bug": KeyError("secret")}[data["raise"]]

    def step(self, data):
        raise invalid_data("tool", message="wrong")

    def state(self):
        return {"episode_id": None, "step_count": 0}

    def mcp(self, data):
        return {"jsonrpc": "2.0"} | data


def framed(text):
    reply = answer(Scripted(), text)
    assert reply is not None
    return json.loads(reply)


def error_of(frame):
    assert frame["type"] == "error"
    return frame["data"]["code"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "INVALID_JSON"),
        ("{", "INVALID_JSON"),
        (b"\xff", "INVALID_JSON"),
        ("[" * 100_000, "INVALID_JSON"),
        ("[]", "VALIDATION_ERROR"),
        ("null", "VALIDATION_ERROR"),
        ("{}", "UNKNOWN_TYPE"),
        ('{"type": "dance"}', "UNKNOWN_TYPE"),
        ('{"type": ["step"]}', "UNKNOWN_TYPE"),
        ('{"type": "step"}', "VALIDATION_ERROR"),
        ('{"type": "step", "data": []}', "VALIDATION_ERROR"),
        ('{"type": "step", "data": {}}', "VALIDATION_ERROR"),
        ('{"type": "mcp"}', "VALIDATION_ERROR"),
        ('{"type": "reset", "data": null}', "VALIDATION_ERROR"),
        ('{"type": "reset", "data": {"raise": "full"}}', "CAPACITY_REACHED"),
        ('{"type": "reset", "data": {"raise": "gone"}}', "EXECUTION_ERROR"),
        ('{"type": "reset", "data": {"raise": "bug"}}', "EXECUTION_ERROR"),
    ],
)
def test_each_mistake_has_its_code(text, code):
    assert error_of(framed(text)) == code


def test_a_mistake_in_an_action_says_where():
    (mistake,) = framed('{"type": "step", "data": {}}')["data"]["errors"]
    assert mistake == {"type": "value_error", "loc": ["data", "tool"], "msg": "wrong"}
    assert InvalidFrame({}).errors == [{}]


def test_a_failure_keeps_its_secret(caplog):
    said = framed('{"type": "reset", "data": {"raise": "bug"}}')["data"]["message"]
    assert said.startswith("internal_error: ")
    assert "secret" not in said
    assert "secret" in caplog.text


def test_close_has_no_answer_and_state_needs_no_data():
    assert answer(Scripted(), '{"type": "close"}') is None
    assert framed('{"type": "state", "data": 5}')["type"] == "state"
    assert framed('{"type": "mcp", "data": {"id": 1}}') == {"type": "mcp", "data": {"jsonrpc": "2.0", "id": 1}}


def test_a_socket_plays_the_episode_of_its_last_reset(url):
    with socket_of(url) as socket:
        assert ask(socket, "step", HOLD)["data"]["observation"]["error"].startswith("uninitialised: ")
        assert ask(socket, "state")["data"]["episode_id"] is None
        first = ask(socket, "reset", {"scenario": CANARY})["data"]["observation"]["episode_id"]
        assert ask(socket, "step", HOLD)["data"]["observation"]["step"] == 1
        ask(socket, "reset", {"scenario": GATE})
        refused = ask(socket, "step", WRONG)["data"]
        elsewhere = ask(socket, "step", HOLD | {"episode_id": first})["data"]
        assert ask(socket, "state")["data"]["step_count"] == 1
        assert ask(socket, "mcp", {})["data"]["error"]["code"] == -32600
        assert ask(socket, "step", HOLD | {"episode_id": "ep_0"})["data"]["code"] == "EXECUTION_ERROR"
        socket.send(b'{"type": "state"}')
        assert json.loads(socket.recv())["type"] == "state"
        socket.send(json.dumps({"type": "close"}))
        with pytest.raises(Exception, match="1000"):
            socket.recv()
    assert refused["reward"] == -0.25
    assert elsewhere["observation"]["step"] == 2


def test_a_dropped_socket_is_resumed_by_another_one(url):
    with socket_of(url) as socket:
        episode_id = ask(socket, "reset", {"scenario": CANARY})["data"]["observation"]["episode_id"]
        ask(socket, "step", HOLD | {"action_id": "the-lost-one"})
        socket.socket.shutdown(SHUT_RDWR)  # no closing handshake

    with socket_of(url) as again:
        resumed = ask(again, "reset", {"episode_id": episode_id})["data"]
        assert resumed["observation"]["step"] == 1
        assert ask(again, "step", HOLD | {"action_id": "the-lost-one"})["data"]["observation"]["step"] == 1
        assert ask(again, "step", ROLLBACK)["data"]["done"] is True


def test_one_socket_too_many_is_told_so_and_a_closed_one_makes_room(tmp_path):
    with live(settings(tmp_path, max_ws_sessions=1)) as url:
        with socket_of(url) as first:
            assert ask(first, "state")["type"] == "state"
            with socket_of(url) as second:
                data = json.loads(second.recv())["data"]
                assert (data["code"], data["active_sessions"], data["max_sessions"]) == ("CAPACITY_REACHED", 1, 1)
                with pytest.raises(Exception, match="1000"):
                    second.recv()
        for _ in range(100):
            with socket_of(url) as third:
                third.send('{"type": "state"}')
                if json.loads(third.recv())["type"] == "state":
                    return
        raise AssertionError("a closed socket made no room")


def test_256_sockets_are_served_side_by_side_and_none_is_refused(url):
    with ExitStack() as stack, ThreadPoolExecutor(32) as pool:
        sockets = [stack.enter_context(socket_of(url, compression=None)) for _ in range(SOCKETS)]
        begun = list(pool.map(lambda socket: ask(socket, "reset", {"scenario": CANARY}), sockets))
        ended = list(pool.map(lambda socket: ask(socket, "step", ROLLBACK), sockets))

    assert len({each["data"]["observation"]["episode_id"] for each in begun}) == SOCKETS
    assert all(each["data"]["done"] for each in ended)


def test_a_message_beyond_the_limit_closes_its_socket_alone(tmp_path):
    with live(settings(tmp_path, max_body_bytes=2_048)) as url, socket_of(url) as bystander:
        with socket_of(url) as socket:
            socket.send("x" * 4_096)
            with pytest.raises(Exception, match="1009"):
                socket.recv()
        assert ask(bystander, "state")["type"] == "state"
