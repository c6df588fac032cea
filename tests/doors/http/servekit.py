"""Serves the whole HTTP app over a log of its own: in process, in a thread on a real socket, or as a command."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi.testclient import TestClient
from websockets.sync.client import ClientConnection, connect

from releaseops_mcp.doors.http.app import create_app
from releaseops_mcp.doors.http.serving import options
from releaseops_mcp.doors.http.settings import HttpSettings
from tests.doors.mcp.doorkit import ROOT, free_port

GATE = "classic-gate/careful_qa_safe/medium/seed-1"
CANARY = "classic-canary/easy/seed-0"
DECISION = {
    "action_type": "hold",
    "reasoning": "waiting for one more step",
    "slo_breach_detected": False,
    "state_assessment": "healthy",
}
HOLD = {"tool": "decide_rollout", "arguments": DECISION}
ROLLBACK = {"tool": "decide_rollout", "arguments": DECISION | {"action_type": "rollback"}}
WRONG = {"tool": "inspect_ticket", "arguments": {"ticket_id": "ticket_none"}}

TOKEN = {"authorization": "Bearer the-token"}
GRADER = {"authorization": "Bearer the-grader"}


def settings(folder: Path, **more: Any) -> HttpSettings:
    """Settings over the log in a folder."""
    return HttpSettings(**{"database_url": f"sqlite:///{folder / 'log.sqlite3'}", **more})


@contextmanager
def client_of(chosen: HttpSettings, **options: Any) -> Iterator[TestClient]:
    """A client of the app, without a socket in between."""
    with TestClient(create_app(chosen), base_url="http://127.0.0.1", **options) as client:
        yield client


@contextmanager
def live(chosen: HttpSettings) -> Iterator[str]:
    """The app on a socket, served by uvicorn in a thread; gives its URL."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(create_app(chosen), port=port, **options(chosen)))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        _wait_until(lambda: server.started, thread.is_alive)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def command(
    *arguments: str, port: int | None = None, **environment: str
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A server as a process: the arguments after `python`; gives its URL and the process."""
    port = port or free_port()
    filled = [argument.format(port=port) for argument in arguments]
    given = dict(os.environ, PYTHONPATH=str(ROOT), PORT=str(port), **environment)
    process = subprocess.Popen([sys.executable, *filled], env=given, cwd=ROOT, stderr=subprocess.PIPE)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until(lambda: is_healthy(url), lambda: process.poll() is None)
        yield url, process
    finally:
        process.terminate()
        process.communicate()


def is_healthy(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def socket_of(url: str, **options: Any) -> ClientConnection:
    """A WebSocket to the root's /ws, or to another environment's."""
    return connect(f"{url.replace('http', 'ws', 1)}/ws", open_timeout=30, **options)


def ask(socket: ClientConnection, kind: str, data: Any = None) -> dict[str, Any]:
    """Send one frame and return the answer."""
    socket.send(json.dumps({"type": kind} if data is None else {"type": kind, "data": data}))
    return json.loads(socket.recv(timeout=30))


def begin(client: Any, scenario: str = CANARY, headers: Mapping[str, str] | None = None) -> str:
    """Begin an episode and return its id."""
    answer = client.post("/episodes", json={"scenario": scenario}, headers=dict(headers or {}))
    assert answer.status_code == 201, answer.text
    return answer.json()["episode_id"]


def code_of(answer: Any, status: int) -> str:
    """Return the code of a problem, which has this status."""
    assert answer.status_code == status, answer.text
    return answer.json()["error"]["code"]


def _wait_until(reached: Any, alive: Any) -> None:
    for _ in range(600):
        if reached():
            return
        assert alive(), "the server ended before it served"
        time.sleep(0.05)
    raise TimeoutError("the server does not serve")
