"""What the canary's WebSocket client makes of a faulty server."""

import http
import json
import socket
import threading
from contextlib import contextmanager

import pytest
from websockets.sync.server import serve

from releaseops_mcp.client import (
    CallRefused,
    ConnectionLost,
    MalformedAnswer,
    Retries,
    ServerFault,
    ServerTimeout,
    TooManyRequests,
    Unreachable,
)
from tests.client.conftest import AT_ONCE

OBSERVATION = {
    "traffic_pct": 0.0,
    "canary_error_rate": 0.001,
    "canary_p99_ms": 140.0,
    "stable_error_rate": 0.001,
    "stable_p99_ms": 140.0,
    "differential_error": 0.0,
    "differential_p99_ms": 0.0,
    "alert_count": 0,
    "rollback_on_error_rate": 0.005,
    "rollback_on_canary_p99_ms": 200.0,
    "rollback_on_differential_p99_ms": None,
}
GOOD = json.dumps({"type": "observation", "data": {"observation": OBSERVATION, "reward": 0.0, "done": False}})
DROP = object()
ONCE = Retries(attempts=1)


def error(code, message="no"):
    return json.dumps({"type": "error", "data": {"code": code, "message": message}})


@contextmanager
def answering(*answers):
    """Serve a WebSocket that gives these answers, one a message, over as many connections as it takes."""
    left = list(answers)

    def talk(connection):
        for _ in connection:
            answer = left.pop(0)
            if answer is DROP:
                connection.socket.shutdown(socket.SHUT_RDWR)
                return
            if answer is not None:
                connection.send(answer)

    with running(talk) as url:
        yield url


@contextmanager
def running(talk, **options):
    with serve(talk, "127.0.0.1", 0, **options) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


MALFORMED = {
    "no_json": "<html>",
    "no_message": json.dumps([1]),
    "no_data": json.dumps({"type": "observation"}),
    "data_no_object": json.dumps({"type": "observation", "data": 3}),
    "no_observation": json.dumps({"type": "observation", "data": {"reward": 0.0, "done": False}}),
    "half_an_observation": json.dumps({"type": "observation", "data": {"observation": {}, "reward": 0, "done": False}}),
    "binary": b"\x00",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_not_the_protocol_is_malformed(kind, name):
    with answering(MALFORMED[name]) as url:
        client = kind.canary(url, retries=ONCE)
        with pytest.raises(MalformedAnswer):
            kind.run(client.reset())
        kind.run(client.close())


@pytest.mark.parametrize(
    "fault", [DROP, MALFORMED["no_json"], error("CAPACITY_REACHED"), error("X", "log_error: ours")]
)
def test_a_reset_is_made_again_on_a_fresh_socket(kind, fault):
    with answering(fault, fault, GOOD) as url:
        client = kind.canary(url, retries=AT_ONCE)
        assert kind.run(client.reset()).step_number == 0
        kind.run(client.close())


@pytest.mark.parametrize(
    ("frame", "kind_of_error", "status"),
    [
        (error("VALIDATION_ERROR"), CallRefused, 422),
        (error("EXECUTION_ERROR", "unknown_episode: no such"), CallRefused, 404),
        (error("EXECUTION_ERROR", "store_unavailable: locked"), ServerFault, 503),
        (error("EXECUTION_ERROR", "at_capacity: full"), TooManyRequests, 429),
        (error("CAPACITY_REACHED"), TooManyRequests, 429),
    ],
)
def test_an_error_frame_has_the_error_of_its_code(kind, frame, kind_of_error, status):
    with answering(frame) as url:
        client = kind.canary(url, retries=ONCE)
        with pytest.raises(kind_of_error) as refused:
            kind.run(client.reset())
        assert refused.value.status == status
        kind.run(client.close())


def test_a_step_is_not_made_again_and_the_lost_session_says_what_to_do(kind):
    with answering(GOOD, DROP, GOOD) as url:
        client = kind.canary(url, retries=AT_ONCE)
        kind.run(client.reset())
        with pytest.raises(ConnectionLost):
            kind.run(client.step({"action_type": "hold"}))
        with pytest.raises(ConnectionLost, match="resume"):
            kind.run(client.step({"action_type": "hold"}))
        assert kind.run(client.reset()).step_number == 0
        kind.run(client.close())


def test_a_server_that_does_not_answer_is_a_timeout(kind):
    with answering(None) as url:
        client = kind.canary(url, retries=ONCE, timeout_s=0.2)
        with pytest.raises(ServerTimeout):
            kind.run(client.reset())
        kind.run(client.close())


@pytest.mark.parametrize(("status", "kind_of_error"), [(403, CallRefused), (429, TooManyRequests), (503, ServerFault)])
def test_a_refused_handshake_has_the_error_of_its_status(kind, status, kind_of_error):
    def refuse(connection, _):
        return connection.respond(http.HTTPStatus(status), "no\n")

    with running(lambda _: None, process_request=refuse) as url:
        client = kind.canary(url, retries=AT_ONCE)
        with pytest.raises(kind_of_error):
            kind.run(client.connect())
        kind.run(client.close())


def test_nobody_there_is_unreachable(kind):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    client = kind.canary(f"http://127.0.0.1:{port}", retries=AT_ONCE)
    with pytest.raises(Unreachable, match="is the server running"):
        kind.run(client.connect())


def test_a_session_whose_connection_is_gone_closes_all_the_same(kind):
    gone = threading.Event()

    def leave(connection):
        connection.send(GOOD) if connection.recv() else None
        connection.socket.shutdown(socket.SHUT_RDWR)
        gone.set()

    with running(leave) as url:
        client = kind.canary(url)
        kind.run(client.reset())
        assert gone.wait(5)
        kind.run(client.close())
        kind.run(client.close())
