"""The server over streamable HTTP: many clients, no state in any connection, and no stranger let in."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from starlette.testclient import TestClient

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp import __main__ as program
from releaseops_mcp.doors.mcp import serving as runner
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.errors import InvalidArgument
from tests.doors.mcp.doorkit import VERSIONS, body_of, free_port, hold, start

pytestmark = pytest.mark.anyio
History = Callable[[str], list[Any]]


async def test_an_episode_over_http(
    serving: Callable[..., Any], client_of: Callable[..., Client], history: History, era: str
) -> None:
    with serving() as (url, _):
        async with client_of(url) as client:
            episode_id = await start(client)
            first = body_of(await hold(client, episode_id))
        async with client_of(url, name="another") as client:
            second = body_of(await hold(client, episode_id))

    assert (first["step"], second["step"]) == (1, 2)
    begun, _, _, other, _ = history(episode_id)
    assert begun.data["origin"]["transport"] == "http"
    assert begun.data["origin"]["protocol"] == VERSIONS[era]
    assert other.data["origin"]["client"] == "another"


async def test_an_episode_survives_a_killed_server(
    serving: Callable[..., Any], client_of: Callable[..., Client], history: History
) -> None:
    port = free_port()
    with serving(port=port) as (url, process):
        async with client_of(url) as client:
            episode_id = await start(client)
            await hold(client, episode_id, action_id="a1")
            process.kill()
            process.wait()
    with serving(port=port) as (url, _):
        async with client_of(url) as client:
            again = body_of(await hold(client, episode_id, action_id="a1"))
            onward = body_of(await hold(client, episode_id, action_id="a2"))

    assert (again["step"], onward["step"]) == (1, 2)
    assert len(history(episode_id)) == 5


async def test_64_episodes_at_once_are_neither_refused_nor_mixed_up(
    serving: Callable[..., Any], client_of: Callable[..., Client], history: History
) -> None:
    played: dict[int, str] = {}

    async def play(client: Client, seed: int) -> None:
        scenario = f"classic-canary/medium/seed-{seed}"
        played[seed] = episode_id = await start(client, scenario)
        for step in range(1, 5):
            answer = body_of(await hold(client, episode_id, reasoning=f"seed {seed}, decision {step}"))
            assert (answer["episode_id"], answer["step"]) == (episode_id, step)

    async def visit(url: str, seeds: range) -> None:
        async with client_of(url) as client, anyio.create_task_group() as group:
            for seed in seeds:
                group.start_soon(play, client, seed)

    with serving() as (url, _):
        async with anyio.create_task_group() as group:
            for first in range(0, 64, 4):
                group.start_soon(visit, url, range(first, first + 4))

    assert len(set(played.values())) == 64
    for seed, episode_id in played.items():
        begun, *events = history(episode_id)
        assert begun.data["seed"] == seed
        said = [event.data["arguments"]["reasoning"] for event in events if event.kind == "tool_call"]
        assert said == [f"seed {seed}, decision {step}" for step in range(1, 5)]


async def test_a_waiting_writer_does_not_hold_up_others(
    arena: Arena, client_of: Callable[..., Client], database_url: str
) -> None:
    answers: list[Any] = []

    async def wait_for_the_log() -> None:
        answers.append(await hold(client, episode_id))

    async with client_of(build_server(arena)) as client:
        episode_id = await start(client)
        with closing(sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            async with anyio.create_task_group() as group:
                group.start_soon(wait_for_the_log)
                await anyio.sleep(0.2)
                with anyio.fail_after(2):
                    await client.call_tool("list_scenarios", {"suite": "classic-canary"})  # no ticket to write
                    await client.read_resource(f"releaseops://episodes/{episode_id}/transcript")
                assert answers == []
                other.execute("ROLLBACK")

    assert body_of(answers[0])["step"] == 1


@pytest.fixture
def app_client(arena: Arena) -> Iterator[TestClient]:
    app = runner.http_app(ArenaHolder(lambda: arena))
    with TestClient(app, base_url="http://127.0.0.1:7861") as client:
        yield client


def discover(client: TestClient, **headers: str) -> httpx2.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": ENVELOPE}}
    given = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/list",
    }
    return client.post("/mcp", json=message, headers=given | headers)


ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:7861"}, 200),
        ({"origin": "http://localhost:3000"}, 200),
        ({"host": "evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
    ],
)
def test_only_this_machine_is_let_in(app_client: TestClient, headers: dict[str, str], status: int) -> None:
    answer = discover(app_client, **headers)

    assert answer.status_code == status
    if status == 200:
        assert len(answer.json()["result"]["tools"]) > 5


@pytest.mark.parametrize(
    ("host", "status"), [("arena.example.org", 200), ("arena.example.org:8443", 200), ("other.example.org", 421)]
)
def test_named_hosts_are_let_in_where_the_server_is_open_to_others(arena: Arena, host: str, status: int) -> None:
    app = runner.http_app(ArenaHolder(lambda: arena), host="0.0.0.0", allowed_hosts=["arena.example.org"])
    with TestClient(app, base_url=f"http://{host}") as client:
        assert discover(client).status_code == status


def test_a_server_open_to_others_needs_their_names(arena: Arena) -> None:
    with pytest.raises(InvalidArgument, match=r"RELEASEOPS_ALLOWED_HOSTS=arena\.example\.org"):
        runner.http_app(ArenaHolder(lambda: arena), host="0.0.0.0")


def test_the_address_is_told_and_the_log_closed(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configs: list[uvicorn.Config] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self: configs.append(self.config))
    holder = ArenaHolder(lambda: arena)
    holder.get()

    runner.serve_http(holder, ["classic-canary"], port=4711)
    runner.serve_http(holder, host="::1", port=4712)

    assert [(config.host, config.port) for config in configs] == [("127.0.0.1", 4711), ("::1", 4712)]
    said = capsys.readouterr()
    assert said.out == ""
    assert "http://127.0.0.1:4711/mcp" in said.err
    assert "http://[::1]:4712/mcp" in said.err
    assert holder._arena is None


def test_the_program_serves_what_its_arguments_say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(program, "serve_stdio", lambda **options: served.append(options))
    monkeypatch.setattr(program, "serve_http", lambda **options: served.append(options))
    monkeypatch.setenv("RELEASEOPS_ALLOWED_HOSTS", "a.example")

    assert program.main(["--suite", "classic-gate"]) == 0
    assert program.main(["--http", "--host", "0.0.0.0", "--port", "1"]) == 0
    assert served == [
        {"suites": ["classic-gate"]},
        {"suites": [], "host": "0.0.0.0", "port": 1, "allowed_hosts": ("a.example",)},
    ]


def test_the_program_says_what_does_not_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(**_: Any) -> None:
        raise KeyboardInterrupt

    assert program.main(["--suite", "chess"]) == 2
    assert "invalid_argument: no suite 'chess'" in capsys.readouterr().err
    assert program.main(["--http", "--host", "0.0.0.0"]) == 2
    assert "RELEASEOPS_ALLOWED_HOSTS" in capsys.readouterr().err
    monkeypatch.setattr(program, "serve_stdio", interrupted)
    assert program.main([]) == 130
