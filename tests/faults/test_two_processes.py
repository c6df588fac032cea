"""Two server processes, one over stdio and one over HTTP, on one log."""

import os
import socket
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.settings import Settings, open_store
from tests.faults.raw_server import COMMAND

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

QUESTION = {"worker_id": "nobody", "question_type": "policy_basis"}
"""Refused and charged: each such call is one step and leaves the episode open."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return dict(os.environ, RELEASEOPS_DATABASE_URL=f"sqlite:///{tmp_path / 'log.sqlite3'}")


@pytest.fixture
def url(environment: dict[str, str]) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([*COMMAND, "--http", "--port", str(port)], env=environment, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
            break
        except OSError:
            time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/mcp"
    process.terminate()
    process.wait()


@asynccontextmanager
async def two_clients(environment: dict[str, str], url: str) -> AsyncIterator[tuple[Client, Client]]:
    parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment)
    async with Client(parameters) as stdio, Client(url) as http:
        yield stdio, http


async def start(client: Client, scenario: str) -> str:
    started = await client.call_tool("start_episode", {"scenario": scenario})
    assert started.structured_content is not None
    return started.structured_content["episode_id"]


async def test_both_step_the_same_episode_and_every_call_is_applied_once_or_refused_as_a_conflict(
    environment: dict[str, str], url: str, tmp_path: Path
) -> None:
    answers: list[str] = []

    async def ask(client: Client, episode: str, name: str) -> None:
        for number in range(25):
            arguments = {"episode_id": episode, "action_id": f"{name}-{number}", **QUESTION}
            result = await client.call_tool("ask_worker", arguments)
            answers.append(result.content[0].text.partition(":")[0])

    async with two_clients(environment, url) as (stdio, http):
        shared = await start(stdio, "classic-gate/careful_qa_safe/low/seed-1")
        other = await start(http, "classic-gate/careful_qa_safe/low/seed-2")
        async with anyio.create_task_group() as group:
            group.start_soon(ask, stdio, shared, "stdio")
            group.start_soon(ask, http, shared, "http")
            group.start_soon(ask, stdio, other, "stdio")
            group.start_soon(ask, http, other, "http")
        steps = [
            (await http.call_tool("observe", {"episode_id": episode})).structured_content["step"]
            for episode in (shared, other)
        ]

    assert set(answers) <= {"no_active_worker", "conflict"}
    assert sum(steps) == answers.count("no_active_worker")
    store = open_store(Settings(database_url=environment["RELEASEOPS_DATABASE_URL"]))
    assert verify_store(store).episodes == 2
    store.close()


async def test_a_named_call_that_reached_one_process_is_answered_alike_by_the_other(
    environment: dict[str, str], url: str
) -> None:
    async with two_clients(environment, url) as (stdio, http):
        episode = await start(stdio, "classic-gate/careful_qa_safe/low/seed-1")
        call = {"episode_id": episode, "reason_code": "awaiting_fix", "action_id": "once"}
        first = await stdio.call_tool("hold_release", call)
        second = await http.call_tool("hold_release", call)

    assert first.structured_content == second.structured_content


async def test_a_writer_that_waits_for_the_log_does_not_hold_up_the_event_loop(
    environment: dict[str, str], url: str, tmp_path: Path
) -> None:
    async with two_clients(environment, url) as (_, http):
        episode = await start(http, "classic-gate/careful_qa_safe/low/seed-1")
        blocker = sqlite3.connect(tmp_path / "log.sqlite3", isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        results: list[Any] = []

        async def hold() -> None:
            call = {"episode_id": episode, "reason_code": "awaiting_fix"}
            results.append(await http.call_tool("hold_release", call))

        async with anyio.create_task_group() as group:
            group.start_soon(hold)
            await anyio.sleep(0.3)
            for _ in range(5):
                with anyio.fail_after(1.0):
                    await http.list_tools()
            assert results == [], "the writer waits while others are served"
            blocker.execute("ROLLBACK")
            blocker.close()

    assert results[0].structured_content["step"] == 1
