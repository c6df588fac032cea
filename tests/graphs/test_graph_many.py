"""Many runs at once on one log and one file of checkpoints: none is lost, none is mixed up."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from graphs.checkpoints import open_checkpointer
from graphs.in_process import LocalSession
from graphs.scripted_model import SupervisorChat
from graphs.setup import Setup
from graphs.streaming import thread_config
from graphs.supervisor import build_supervisor
from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.settings import Settings, open_arena

pytestmark = pytest.mark.anyio
MANY = 200


@pytest.mark.slow
async def test_two_hundred_episodes_at_once_on_sqlite_and_none_lost(tmp_path: Path) -> None:
    scenarios = [f"classic-canary/{('easy', 'medium', 'hard', 'silent')[n % 4]}/seed-{n // 4}" for n in range(MANY)]
    with closing(open_arena(Settings(database_url=f"sqlite:///{tmp_path / 'log.sqlite3'}"))) as arena:
        async with open_checkpointer(str(tmp_path / "checkpoints.sqlite3")) as saver:
            graph = build_supervisor(Setup(LocalSession(arena), SupervisorChat(supervisor="cautious")), saver)

            async def play(scenario: str) -> dict:
                return await graph.ainvoke({"scenario": scenario}, thread_config(scenario), durability="sync")

            states = await asyncio.gather(*map(play, scenarios))

        report = verify_store(arena.store)
        named = {row.id: row.scenario for row in arena.store.stream()}

    assert report.episodes == MANY
    assert {state["stop_reason"] for state in states} == {"episode_over"}
    assert [named[state["episode_id"]] for state in states] == scenarios
