"""What `langgraph dev` runs around each request: the arena, the model's name and the gate.

The factories run again for every request, so nothing of an episode is kept here: it lives in the log, and the run in
the server's checkpoints. A request may name `model` and `human_gate` under `configurable`; else the environment does.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, get_args

from langchain_core.runnables import RunnableConfig

from graphs.bridge import ArenaSession
from graphs.in_process import LocalSession
from graphs.settings import read_graph_settings
from graphs.setup import Setup
from graphs.state import HumanGate
from releaseops_mcp.agents.registry import supervisors
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.settings import open_arena


@asynccontextmanager
async def served_setup(config: RunnableConfig) -> AsyncGenerator[Setup]:
    """Return the surroundings of one request; raises InvalidArgument for a setting that makes no sense."""
    settings = await asyncio.to_thread(read_graph_settings)
    named: Mapping[str, Any] = config.get("configurable") or {}
    gate = named.get("human_gate") or settings.human_gate
    if gate not in get_args(HumanGate):
        raise InvalidArgument(f"human_gate is one of {', '.join(get_args(HumanGate))}")
    async with open_session(settings.arena_url, settings.token) as session:
        yield Setup(session, named.get("model") or settings.model, human_gate=gate, person=True)


@asynccontextmanager
async def open_session(url: str, token: str) -> AsyncGenerator[ArenaSession]:
    """Reach the arena at a URL, or the local log where there is none; never blocks the event loop."""
    if url:
        from graphs.over_mcp import connect

        async with connect(url, token) as session:
            yield session
        return
    await asyncio.to_thread(supervisors)  # imports modules
    arena = await asyncio.to_thread(open_arena)
    try:
        yield LocalSession(arena, in_thread=True)
    finally:
        await asyncio.to_thread(arena.close)
