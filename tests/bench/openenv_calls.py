"""The WebSocket of the HTTP door, durable log included, against OpenEnv's own server framework without any log.

Both play the same canary for the same client, turn about in one run. The framework is openenv-core 0.3.0 as installed,
in a side environment under build/bench-openenv; where that cannot be made, the figures say so.
"""

import json
import math
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import psutil
from websockets.asyncio.client import connect

from tests.bench.core import DECISION
from tests.bench.figures import Figure
from tests.bench.http_calls import ROOT, _cpu_seconds, _server
from tests.bench.mcp_calls import _wait_for
from tests.conformance.side import install

SIDE = ROOT / "build" / "bench-openenv"
PACKAGES = ("openenv-core==0.3.0",)
PORT = 17_862
HOLD = json.dumps({"type": "step", "data": DECISION | {"action_type": "hold"}})
LAPS, EPISODES, STEPS = 9, 40, 11
SPEED = "WS steps a second / OpenEnv's framework without a log"
CPU = "WS step, server CPU / OpenEnv's framework without a log"


@dataclass(frozen=True)
class Side:
    """One of the two servers, and what its laps came to."""

    url: str
    server: psutil.Process
    rates: list[float] = field(default_factory=list)
    """Steps a second."""
    costs_ms: list[float] = field(default_factory=list)
    """Server CPU a step."""


def figures() -> Iterator[Figure]:
    try:
        install(SIDE, PACKAGES)
    except (OSError, subprocess.CalledProcessError) as error:
        why = f"not measured: {' '.join(PACKAGES)} could not be installed ({error})"
        yield Figure(SPEED, math.nan, "ratio", 1.5, at_least=True, note=why)
        yield Figure(CPU, math.nan, "ratio", 0.5, note=why)
        return
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (address, process), _framework() as theirs:
        ours = Side(f"ws://{address}/classic-canary/ws", process)
        for lap in range(LAPS + 1):
            for side in (ours, theirs):
                anyio.run(_lap, side, lap)
    yield _speed(statistics.median(ours.rates[1:]), statistics.median(theirs.rates[1:]))
    yield _cost(statistics.fmean(ours.costs_ms[1:]), statistics.fmean(theirs.costs_ms[1:]))


def _speed(ours: float, theirs: float) -> Figure:
    note = f"{ours:,.0f} against {theirs:,.0f} steps/s"
    return Figure(SPEED, ours / theirs, "ratio", 1.5, at_least=True, note=note)


def _cost(ours: float, theirs: float) -> Figure:
    return Figure(CPU, ours / theirs, "ratio", 0.5, note=f"{ours:.3f} against {theirs:.3f} ms")


@contextmanager
def _framework() -> Iterator[Side]:
    command = [str(SIDE / "bin" / "python"), "-m", "tests.bench.openenv_server", str(PORT)]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        _wait_for(PORT)
        yield Side(f"ws://127.0.0.1:{PORT}/ws", psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait()


async def _lap(side: Side, lap: int) -> None:
    """Begin episodes, a socket each as OpenEnv wants it, then play one after the other: one client, steps alone."""
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connect(side.url)) for _ in range(EPISODES)]
        for number, socket in enumerate(sockets):
            asked = {"task": "hard", "seed": lap * EPISODES + number}
            await socket.send(json.dumps({"type": "reset", "data": asked}))
            await socket.recv()
        spent, began = _cpu_seconds(side.server), time.perf_counter()
        for socket in sockets:
            for _ in range(STEPS):
                await socket.send(HOLD)
                answer = await socket.recv()
            assert json.loads(answer)["data"]["observation"]["step_number"] == STEPS
        steps = EPISODES * STEPS
        side.rates.append(steps / (time.perf_counter() - began))
        side.costs_ms.append((_cpu_seconds(side.server) - spent) / steps * 1e3)
