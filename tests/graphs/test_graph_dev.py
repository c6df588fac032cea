"""`langgraph dev` serves both graphs: a real server, offline, with a scripted model that is configured by name."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from releaseops_mcp.settings import Settings, open_arena
from tests.doors.mcp.doorkit import free_port
from tests.graphs.graphkit import calls_in_log
from tests.sequences import CANARY_SCENARIO

ROOT = Path(__file__).parents[2]
LANGGRAPH = shutil.which("langgraph", path=str(Path(sys.executable).parent))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(LANGGRAPH is None, reason="needs langgraph-cli[inmem]"),
]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('dev') / 'log.sqlite3'}"


@pytest.fixture(scope="module")
def dev(log: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of `langgraph dev` over a copy of what it serves: it keeps its own files beside its configuration."""
    folder = tmp_path_factory.mktemp("served")
    for name in ("graphs", "releaseops_mcp"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "langgraph.json", folder)
    port = free_port()
    environment = dict(
        os.environ, RELEASEOPS_DATABASE_URL=log, PYTHONPATH=str(folder), LANGSMITH_TRACING="false", DO_NOT_TRACK="1"
    )
    command = [str(LANGGRAPH), "dev", "--no-browser", "--no-reload", "--port", str(port)]
    output = folder / "output.txt"
    with output.open("wb") as sink:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=sink, stderr=subprocess.STDOUT)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            _wait(client, process, output)
            yield client
    finally:
        process.terminate()
        process.wait(20)


def _wait(client: httpx.Client, process: "subprocess.Popen[bytes]", output: Path) -> None:
    for _ in range(600):
        assert process.poll() is None, output.read_text()
        try:
            if client.get("/ok").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise TimeoutError(output.read_text())


def run(dev: httpx.Client, thread: str, graph: str, **body: Any) -> Any:
    """Run to the end, or to a question, and return the state."""
    answer = dev.post(f"/threads/{thread}/runs/wait", json={"assistant_id": graph, **body})
    answer.raise_for_status()
    return answer.json()


def new_thread(dev: httpx.Client) -> str:
    return dev.post("/threads", json={}).json()["thread_id"]


@pytest.mark.parametrize("graph", ["supervisor", "panel"])
def test_a_run_waits_for_a_person_and_goes_on_in_another_request(graph: str, dev: httpx.Client, log: str) -> None:
    thread = new_thread(dev)
    config = {"configurable": {"model": "scripted:alert-only", "human_gate": "required"}}
    given = {"scenario": CANARY_SCENARIO}

    waiting = run(dev, thread, graph, input=given, config=config)
    refused = {"action": "refuse", "reason": "look again"}
    state = run(dev, thread, graph, command={"resume": refused}, config=config)
    for _ in range(30):
        if state["stop_reason"]:
            break
        state = run(dev, thread, graph, command={"resume": True}, config=config)

    arena = open_arena(Settings(database_url=log))
    assert "__interrupt__" in waiting
    assert state["episode_id"] == waiting["episode_id"]
    assert state["stop_reason"] == "episode_over"
    assert len(calls_in_log(arena, state["episode_id"])) >= 1
    arena.close()


def test_a_request_without_a_model_fails_and_the_server_goes_on(dev: httpx.Client) -> None:
    answer = dev.post(
        f"/threads/{new_thread(dev)}/runs/wait",
        json={"assistant_id": "supervisor", "input": {"scenario": CANARY_SCENARIO}},
    )

    assert answer.json()["__error__"]["error"] == "InvalidArgument"
