"""What the server lets in: hosts, origins, tokens, sizes and shapes; and that nothing of it stops it from serving."""

import json
import socket
import time

import pytest
from websockets.exceptions import InvalidStatus

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.http import protocol
from releaseops_mcp.doors.http.app import create_app
from releaseops_mcp.errors import StoreUnavailable
from releaseops_mcp.log.store import Store
from tests.doors.http.servekit import (
    GRADER,
    HOLD,
    TOKEN,
    ask,
    begin,
    client_of,
    code_of,
    is_healthy,
    live,
    settings,
    socket_of,
)

UNFINISHED = b"POST /reset HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"


def raw(url, data=b"", *, wait=2.0):
    """Send bytes to the server and return what it answers before it closes, or b"" where it does not in time."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=wait) as connection:
        connection.sendall(data)
        received = b""
        try:
            while part := connection.recv(65_536):
                received += part
        except TimeoutError:
            pass
        return received


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:7860", "localhost:1", "LOCALHOST", "[::1]:7860", "[::1]"])
def test_this_machines_names_are_let_in(http, host):
    assert http.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil:80"])
def test_another_host_is_refused_on_every_mount(http, host):
    for path in ("/health", "/classic-gate/health", "/classic-canary/health", "/docs"):
        assert code_of(http.get(path, headers={"host": host}), 421) == "misdirected_request"
    assert http.post("/mcp", headers={"host": host}, content="{}").status_code == 421


def test_pages_of_other_sites_are_refused_and_get_no_cors(http):
    for origin in ("https://evil.example", "null", "http://localhost.evil.example"):
        assert code_of(http.post("/reset", headers={"origin": origin}), 403) == "forbidden"
    own = http.get("/health", headers={"origin": "http://localhost:7860"})
    assert own.status_code == 200
    assert "access-control-allow-origin" not in own.headers


def test_named_hosts_are_let_in_and_a_space_by_its_own(tmp_path):
    with client_of(settings(tmp_path, allowed_hosts=("arena.example.org",))) as http:
        assert http.get("/health", headers={"host": "arena.example.org:443"}).status_code == 200
    with client_of(settings(tmp_path, space_host="me-arena.hf.space")) as http:
        good = {"host": "me-arena.hf.space", "origin": "https://me-arena.hf.space"}
        assert http.get("/health", headers=good).status_code == 200
    chosen = settings(tmp_path, allowed_hosts=("[fe80::1]",), space_host="me-arena.hf.space")
    with client_of(chosen) as http:
        assert http.get("/health", headers={"host": "[fe80::1]:1"}).status_code == 200
        assert http.get("/health", headers={"host": "me-arena.hf.space"}).status_code == 421


def test_with_a_token_whatever_changes_state_needs_it(tmp_path):
    with client_of(settings(tmp_path, token="the-token", grader_token="the-grader")) as http:
        for path in (
            "/reset",
            "/step",
            "/episodes",
            "/baseline",
            "/mcp",
            "/classic-gate/reset",
            "/classic-canary/reset",
        ):
            answer = http.post(path, json={})
            assert code_of(answer, 401) == "unauthorized"
            assert answer.headers["www-authenticate"] == "Bearer"
        for path in ("/mcp", "/tasks"):
            assert code_of(http.get(path), 401) == "unauthorized"
        for path in ("/health", "/metadata", "/schema", "/suites", "/openapi.json", "/docs"):
            assert http.get(path).status_code == 200
        assert begin(http, headers=TOKEN) != begin(http, headers=GRADER)


def test_with_a_token_a_socket_needs_it(tmp_path):
    with live(settings(tmp_path, token="the-token")) as url:
        with pytest.raises(InvalidStatus, match="401"), socket_of(url):
            pass
        with socket_of(url, additional_headers=TOKEN) as socket:
            assert ask(socket, "state")["type"] == "state"


def test_a_socket_of_another_host_or_site_is_refused(url):
    with pytest.raises(InvalidStatus, match="403"), socket_of(url, origin="https://evil.example"):
        pass
    for path in ("/ws", "/classic-gate/ws", "/classic-canary/ws"):
        head = f"GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        assert b" 421 " in raw(url, (head + key).encode()).partition(b"\r\n")[0]


def test_a_body_beyond_the_limit_is_refused_declared_or_not(tmp_path):
    with client_of(settings(tmp_path, max_body_bytes=1_024)) as http:
        long = json.dumps({"agent": "x" * 2_000})
        for path in ("/reset", "/episodes", "/classic-canary/episodes", "/classic-gate/reset", "/mcp"):
            assert http.post(path, content=long).status_code == 413
            assert http.post(path, content=iter([long.encode()])).status_code == 413
        assert http.post("/reset", json={}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe{",
        b'{"seed": ' + b"9" * 5_000 + b"}",
        b'{"a":' * 500 + b"1" + b"}" * 500,
        b"[" * 100_000,
        json.dumps({"suite": "x" * 70_000}).encode(),
        json.dumps({"x" * 70_000: 1}).encode(),
        b'"text"',
        b"5",
        b"null",
        b"true",
    ],
)
def test_a_body_that_is_no_json_object_or_too_deep_or_long_is_refused(http, body):
    for path in ("/reset", "/step", "/episodes", "/grader"):
        assert code_of(http.post(path, content=body), 422) == "invalid_argument"


def test_what_json_cannot_say_again_is_played_and_logged_as_a_marker(http):
    episode_id = begin(http)
    body = '{"tool": "decide_rollout", "arguments": {"reasoning": NaN, "a\\ud800": "\\ud800\\u0000"}}'

    assert http.post(f"/episodes/{episode_id}/step", content=body).status_code == 422
    assert http.get(f"/episodes/{episode_id}/events").status_code == 200
    assert http.get(f"/episodes/{episode_id}/transcript").status_code == 200


def test_a_failure_nobody_foresaw_is_a_clean_503(http, monkeypatch, caplog):
    def fail(*_, **__):
        raise KeyError("the secret")

    monkeypatch.setattr(Store, "episodes", fail)

    answer = http.get("/episodes")

    assert code_of(answer, 503) == "internal_error"
    assert answer.headers["retry-after"] == "1"
    assert "secret" not in answer.text
    assert "the secret" in caplog.text


def test_a_log_out_of_reach_is_a_503_without_its_path_and_is_opened_again(tmp_path):
    folder = tmp_path / "later"
    folder.write_text("in the way")
    with client_of(settings(folder)) as http:
        step = http.post("/episodes/ep_0/step", json=HOLD)
        for answer in (http.post("/reset"), http.get("/episodes"), http.get("/episodes/ep_0/state"), step):
            assert code_of(answer, 503) == "store_unavailable"
            assert int(answer.headers["retry-after"]) > 0
        folder.unlink()
        assert http.post("/reset").status_code == 200


def test_a_log_that_is_lost_while_serving_is_opened_again(http, monkeypatch):
    episode_id = begin(http)
    peek = Arena.peek

    def lose(_arena, _episode_id):
        monkeypatch.setattr(Arena, "peek", peek)
        raise StoreUnavailable("gone for a moment")

    monkeypatch.setattr(Arena, "peek", lose)

    assert code_of(http.get(f"/episodes/{episode_id}/state"), 503) == "store_unavailable"
    assert http.get(f"/episodes/{episode_id}/state").status_code == 200


def test_a_call_whose_events_cannot_be_written_is_a_503_and_not_applied(http, monkeypatch):
    episode_id = begin(http)
    with monkeypatch.context() as patched:

        def fail(_store, _number, _change):
            raise StoreUnavailable("the disk is full")

        patched.setattr(Store, "append", fail)
        answer = http.post(f"/episodes/{episode_id}/step", json=HOLD)
    assert code_of(answer, 503) == "store_unavailable"
    assert http.post(f"/episodes/{episode_id}/step", json=HOLD).json()["step"] == 1


def test_unknown_paths_and_methods_have_the_same_shape(http):
    assert code_of(http.get("/nowhere"), 404) == "not_found"
    assert code_of(http.delete("/reset"), 405) == "method_not_allowed"


def test_clients_that_drip_their_request_are_cut_off_and_others_are_served(tmp_path, monkeypatch):
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.3)
    with live(settings(tmp_path)) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        slow = [socket.create_connection((host, int(port))) for _ in range(100)]
        beginnings = (b"", b"GET /health HTTP/1.1\r\nHost: 127", b"POST /reset HTTP/1.1\r\nX: ", UNFINISHED)
        for number, connection in enumerate(slow):
            connection.sendall(beginnings[number % len(beginnings)])
        assert is_healthy(url)
        deadline = time.monotonic() + 5
        for connection in slow:
            connection.settimeout(max(0.1, deadline - time.monotonic()))
            assert connection.recv(1) == b""
            connection.close()
        assert is_healthy(url)


def test_a_head_that_does_not_end_is_a_400_and_an_endless_body_a_413(tmp_path):
    with live(settings(tmp_path, max_body_bytes=10_000)) as url:
        head = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-Long: " + b"x" * 70_000 + b"\r\n\r\n"
        assert b" 400 " in raw(url, head).partition(b"\r\n")[0]
        chunk = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
        endless = b"POST /reset HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 20
        assert b" 413 " in raw(url, endless, wait=1.0).partition(b"\r\n")[0]
        assert is_healthy(url)


def test_an_answer_names_no_path_of_the_server(http):
    texts = [http.post("/reset", content=b"{").text, http.get("/episodes/x/state").text, http.get("/openapi.json").text]
    assert not any(word in text for text in texts for word in ("site-packages", "Traceback", ".sqlite3", "/home/"))


def test_an_app_can_be_made_before_there_is_a_log(tmp_path):
    create_app(settings(tmp_path / "nowhere"))
    assert not (tmp_path / "nowhere").exists()
