"""The server as a process over stdio: nothing but JSON-RPC on its output, and no episode lost with it."""

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp import serving
from releaseops_mcp.settings import Settings, open_arena
from tests.doors.mcp.doorkit import GATE, ROOT, SERVER, VERSIONS, body_of, hold, start

pytestmark = pytest.mark.anyio
History = Callable[[str], list[Any]]

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}


async def test_an_episode_over_stdio(
    over_stdio: Callable[..., StdioServerParameters], client_of: Callable[..., Client], history: History, era: str
) -> None:
    async with client_of(over_stdio()) as client:
        episode_id = await start(client, GATE)
        answer = await client.call_tool("hold_release", {"episode_id": episode_id, "reason_code": "risk_too_high"})

    assert body_of(answer)["observation"]["phase"] == "deploy_gate"
    origin = history(episode_id)[0].data["origin"]
    assert (origin["transport"], origin["protocol"], origin["client"]) == ("stdio", VERSIONS[era], "tester")


async def test_an_episode_survives_the_death_of_its_server(
    over_stdio: Callable[..., StdioServerParameters], client_of: Callable[..., Client], history: History
) -> None:
    before = set(psutil.Process().children(recursive=True))
    async with client_of(over_stdio()) as client:
        episode_id = await start(client)
        await hold(client, episode_id)
        for child in set(psutil.Process().children(recursive=True)) - before:
            child.send_signal(signal.SIGKILL)
        with pytest.raises(MCPError, match="Connection closed"):
            await hold(client, episode_id)
    async with client_of(over_stdio()) as client:
        answer = body_of(await hold(client, episode_id))

    assert answer["step"] == 2
    assert [event.kind for event in history(episode_id)][-2:] == ["tool_call", "tool_result"]


async def test_suites_are_hidden_by_an_option(
    over_stdio: Callable[..., StdioServerParameters], client_of: Callable[..., Client]
) -> None:
    async with client_of(over_stdio("--suite", "classic-canary")) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}

    assert "approve_proposal" not in names
    assert "decide_rollout" in names


def test_standard_output_carries_json_rpc_alone(environment: dict[str, str]) -> None:
    """However much a server logs and its code prints, no line of its output is anything else."""
    chatty = textwrap.dedent(
        """
        import logging, sys
        from releaseops_mcp.doors.holder import ArenaHolder
        from releaseops_mcp.doors.mcp.serving import serve_stdio
        from releaseops_mcp.settings import open_arena

        logging.basicConfig(stream=sys.stderr, level=logging.DEBUG)

        def open_loudly():
            print("a stray print")
            logging.getLogger("noise").warning("a log line")
            return open_arena()

        serve_stdio(ArenaHolder(open_loudly))
        """
    )
    messages = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_scenarios"}},
        {
            "jsonrpc": "2.0",
            "id": 3,
            "method": "tools/call",
            "params": {"name": "boo", "arguments": {"a": float("nan")}},
        },
    ]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    process = subprocess.Popen(
        [sys.executable, "-c", chatty],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines + "no json at all\n")
    process.stdin.flush()
    shown = [json.loads(process.stdout.readline()) for _ in range(3)]
    rest, noise = process.communicate()

    answers = [*shown, *map(json.loads, rest.splitlines())]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert {1, 2, 3} <= {answer.get("id") for answer in answers}
    assert "a stray print" in noise
    assert "a log line" in noise


def test_nothing_heavy_is_imported() -> None:
    code = "import releaseops_mcp.doors.mcp.__main__, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert not {"typer", "rich", "numpy", "fastapi", "torch"} & set(done.stdout.split())


def test_a_client_that_hangs_up_ends_the_server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    handled: list[Any] = []
    monkeypatch.setattr(serving, "signal", lambda *arguments: handled.append(arguments))
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(INITIALIZE).encode() + b"\n")))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    arenas: list[Arena] = []

    def opened() -> Arena:
        arenas.append(open_arena(settings))
        return arenas[0]

    holder = ArenaHolder(opened)
    holder.get()

    serving.serve_stdio(holder)

    assert json.loads(written.getvalue())["result"]["protocolVersion"] == "2025-11-25"
    assert handled == [(signal.SIGINT, signal.SIG_DFL)]
    assert holder._arena is None


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupt_ends_the_server_at_once(environment: dict[str, str]) -> None:
    with subprocess.Popen(SERVER, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)

        assert process.wait(5) == -signal.SIGINT
