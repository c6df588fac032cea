"""The server as a command: several workers on one log, a death in the middle, and how it is told where to serve."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.doors.http.servekit import CANARY, HOLD, command, is_healthy
from tests.doors.mcp.doorkit import ROOT, free_port

CLI = ("-m", "releaseops_mcp.cli", "http", "--port", "{port}")
EPISODES = 8
CALLS = 6


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_url")


def post(url: str, path: str, body: object) -> httpx.Response:
    """Post on a connection of its own, which any worker may take."""
    return httpx.post(f"{url}{path}", json=body, timeout=60)


@pytest.mark.slow
def test_four_workers_serve_one_log_and_lose_no_call(database_url):
    with (
        command(*CLI, "--workers", "4", RELEASEOPS_DATABASE_URL=database_url) as (url, _),
        ThreadPoolExecutor(8) as pool,
    ):
        begun = pool.map(lambda _: post(url, "/episodes", {"scenario": CANARY}), range(EPISODES))
        ids = [answer.json()["episode_id"] for answer in begun]
        calls = [(episode_id, HOLD | {"action_id": f"call-{number}"}) for number in range(CALLS) for episode_id in ids]
        answers = list(pool.map(lambda call: post(url, f"/episodes/{call[0]}/step", call[1]), calls))
        again = list(pool.map(lambda call: post(url, f"/episodes/{call[0]}/step", call[1]), calls))
        states = [httpx.get(f"{url}/episodes/{episode_id}/state", timeout=60).json() for episode_id in ids]

    assert {answer.status_code for answer in answers} == {200}
    assert [answer.json() for answer in again] == [answer.json() for answer in answers]
    assert [state["step"] for state in states] == [CALLS] * EPISODES
    for episode_id in ids:
        steps = [answer.json()["step"] for answer in answers if answer.json()["episode_id"] == episode_id]
        assert sorted(steps) == list(range(1, CALLS + 1))


@pytest.mark.slow
def test_an_episode_goes_on_after_the_server_was_killed(sqlite_url):
    port = free_port()
    with command("server.py", port=port, RELEASEOPS_DATABASE_URL=sqlite_url) as (url, process):
        episode_id = post(url, "/episodes", {"scenario": CANARY}).json()["episode_id"]
        assert post(url, f"/episodes/{episode_id}/step", HOLD).json()["step"] == 1
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert not is_healthy(url)
    with command("server.py", port=port, RELEASEOPS_DATABASE_URL=sqlite_url) as (url, _):
        assert post(url, f"/episodes/{episode_id}/step", HOLD).json()["step"] == 2


@pytest.mark.slow
def test_uvicorn_can_serve_the_module(tmp_path: Path, sqlite_url):
    arguments = ("-m", "uvicorn", "server:app", "--port", "{port}", "--log-level", "warning")
    with command(*arguments, RELEASEOPS_DATABASE_URL=sqlite_url) as (url, _):
        assert httpx.post(f"{url}/mcp", json={}).status_code == 200
        assert not (tmp_path / "log.sqlite3").exists()
        assert post(url, "/reset", {}).status_code == 200


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"HOST": "0.0.0.0"}, "RELEASEOPS_ALLOWED_HOSTS"),
        ({"PORT": "no port"}, "PORT: "),
        ({"PORT": "70000"}, "PORT: "),
    ],
)
def test_a_setting_that_cannot_be_is_one_line_and_exit_code_2(environment, says):
    given = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    ran = subprocess.run([sys.executable, "server.py"], cwd=ROOT, env=given, capture_output=True, text=True, timeout=60)

    assert ran.returncode == 2
    assert says in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_the_command_line_refuses_an_open_address_without_named_hosts():
    given = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "releaseops_mcp.cli", "http", "--host", "0.0.0.0"]
    ran = subprocess.run(arguments, cwd=ROOT, env=given, capture_output=True, text=True, timeout=60)

    assert ran.returncode == 2
    assert "RELEASEOPS_ALLOWED_HOSTS" in ran.stderr
