"""The HTTP door: the server's own CPU for a step, durable log included, and many WebSocket clients at once."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx
import psutil
from websockets.asyncio.client import connect

from tests.bench.core import DECISION
from tests.bench.figures import Figure
from tests.bench.mcp_calls import _wait_for

ROOT = Path(__file__).parents[2]
HOLD = {"tool": "decide_rollout", "arguments": DECISION | {"action_type": "hold"}}
EPISODES, STEPS = 100, 11
ROUNDS = 3
CLIENTS = {1: 60, 16: 6, 64: 2, 256: 1}
"""Clients at once, and how many episodes each of them plays."""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (url, server):
        yield Figure("WS step, server", min(anyio.run(_ws_step_ms, url, server) for _ in range(ROUNDS)), "ms CPU", 0.4)
        for path, body in (("/step", "action"), ("/episodes/{}/step", "")):
            measured = min(_http_step_ms(url, server, path, body) for _ in range(ROUNDS))
            yield Figure(f"HTTP {path.format('ID')}, server", measured, "ms CPU", 0.6)
        for clients, episodes in CLIENTS.items():
            refused: list[str] = []
            anyio.run(_crowd, url, clients, episodes, refused)
            yield Figure(f"refused frames of {clients} WS clients", len(refused), "frames", 0)


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    port = 17_860
    environment = dict(
        os.environ, RELEASEOPS_DATABASE_URL=f"sqlite:///{folder / 'log.sqlite3'}", PORT=str(port), PYTHONPATH=str(ROOT)
    )
    process = subprocess.Popen([sys.executable, "server.py"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield f"127.0.0.1:{port}", psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def _cpu_seconds(server: psutil.Process) -> float:
    spent = server.cpu_times()
    return spent.user + spent.system


async def _ws_step_ms(url: str, server: psutil.Process) -> float:
    async with connect(f"ws://{url}/ws", compression=None) as socket:
        frames = []
        for seed in range(EPISODES):
            begun = await _ask(socket, "reset", {"suite": "classic-canary", "seed": seed})
            named = HOLD | {"episode_id": begun["data"]["observation"]["episode_id"]}
            frames += [json.dumps({"type": "step", "data": named})] * STEPS
        began = _cpu_seconds(server)
        for frame in frames:
            await socket.send(frame)
            await socket.recv()
        return (_cpu_seconds(server) - began) / len(frames) * 1e3


def _http_step_ms(url: str, server: psutil.Process, path: str, wrapped: str) -> float:
    with httpx.Client(base_url=f"http://{url}") as client:
        requests = []
        for seed in range(EPISODES):
            begun = client.post("/episodes", json={"suite": "classic-canary", "seed": seed}).json()
            body = {wrapped: HOLD | {"episode_id": begun["episode_id"]}} if wrapped else HOLD
            requests += [(path.format(begun["episode_id"]), json.dumps(body))] * STEPS
        began = _cpu_seconds(server)
        for target, body in requests:
            assert client.post(target, content=body).status_code == 200
        return (_cpu_seconds(server) - began) / len(requests) * 1e3


async def _crowd(url: str, clients: int, episodes: int, refused: list[str]) -> None:
    async with anyio.create_task_group() as group:
        for number in range(clients):
            group.start_soon(_play, url, number, episodes, refused)


async def _play(url: str, number: int, episodes: int, refused: list[str]) -> None:
    async with connect(f"ws://{url}/ws", compression=None, open_timeout=60) as socket:
        for episode in range(episodes):
            asked = [("reset", {"suite": "classic-canary", "seed": number * episodes + episode})]
            for kind, data in asked + [("step", HOLD)] * STEPS:
                answer = await _ask(socket, kind, data)
                if answer["type"] != "observation":
                    refused.append(answer["data"]["code"])


async def _ask(socket: object, kind: str, data: object) -> dict:
    await socket.send(json.dumps({"type": kind, "data": data}))
    return json.loads(await socket.recv())
