"""The MCP door: a tool call against a constant of the same SDK, turn about in one run, and the server's start."""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

from tests.bench.core import CANARY, DECISION
from tests.bench.figures import Figure

OURS = [sys.executable, "-m", "releaseops_mcp.cli", "mcp"]
CONSTANT = [sys.executable, "-m", "tests.bench.constant_server"]
CALLS = 400


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, RELEASEOPS_DATABASE_URL=f"sqlite:///{Path(folder) / 'log.sqlite3'}")
        constant = Path(folder) / "answer.json"
        constant.write_text(json.dumps(anyio.run(_answer, environment)))
        stdio = (_stdio(OURS, environment), _stdio([*CONSTANT, str(constant)], environment))
        yield from _compare("stdio", *anyio.run(_laps, *stdio))
        with (
            _http([*OURS, "--http", "--port"], environment) as ours,
            _http([*CONSTANT, str(constant)], environment) as baseline,
        ):
            yield from _compare("HTTP", *anyio.run(_laps, ours, baseline))
        yield Figure("releaseops mcp answers initialize after its start", _start_seconds(environment), "s", 1.5)


def _compare(transport: str, ours: list[float], constant: list[float]) -> Iterator[Figure]:
    measured, bare = statistics.median(ours) * 1e3, statistics.median(constant) * 1e3
    yield Figure(f"MCP {transport} call, p50", measured, "ms", 1.3 * bare)
    yield Figure(f"MCP {transport} call / constant of the same SDK", measured / bare, "ratio", 1.3)


def _stdio(command: list[str], environment: dict[str, str]) -> StdioServerParameters:
    return StdioServerParameters(command=command[0], args=command[1:], env=environment)


async def _answer(environment: dict[str, str]) -> dict[str, object]:
    """A real answer, for the other server to return as a constant."""
    async with Client(_stdio(OURS, environment)) as client:
        started = await client.call_tool("start_episode", {"scenario": CANARY.format(0)})
        episode = started.structured_content["episode_id"]
        answer = await client.call_tool("decide_rollout", {"episode_id": episode, **DECISION})
        return answer.structured_content


async def _laps(ours: object, constant: object) -> tuple[list[float], list[float]]:
    laps: tuple[list[float], list[float]] = ([], [])
    async with Client(ours) as arena, Client(constant) as baseline:
        await arena.list_tools()
        await baseline.list_tools()
        for seed in range(CALLS // 10):
            started = await arena.call_tool("start_episode", {"scenario": CANARY.format(seed)})
            episode = started.structured_content["episode_id"]
            arguments = {"episode_id": episode, **DECISION}
            for _ in range(10):
                began = time.perf_counter()
                await arena.call_tool("decide_rollout", arguments)
                between = time.perf_counter()
                await baseline.call_tool("decide_rollout", arguments)
                laps[0].append(between - began)
                laps[1].append(time.perf_counter() - between)
    return laps


@contextmanager
def _http(command: list[str], environment: dict[str, str]) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([*command, str(port)], env=environment, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nothing listens on port {port}")


def _start_seconds(environment: dict[str, str]) -> float:
    """The median over starts of the time from the process's start to its answer."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    }
    seconds: list[float] = []
    for _ in range(7):
        began = time.perf_counter()
        with subprocess.Popen(OURS, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(hello).encode() + b"\n")
            process.stdin.flush()
            assert b'"result"' in process.stdout.readline()
            seconds.append(time.perf_counter() - began)
            process.stdin.close()
            process.stdout.close()
            process.wait()
    return statistics.median(seconds)
