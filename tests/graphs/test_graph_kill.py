"""`kill -9` between any two nodes, and in the middle of each: no action twice, none lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from graphs.checkpoints import open_checkpointer
from graphs.streaming import thread_config
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.settings import Settings, open_arena
from tests.graphs.graphkit import calls_in_log

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
DEATHS = {0: 1, 3: 4, 4: 2}
"""How often a run dies a call at least, by the event that kills: between the arena's deed and its answer (0), between
two nodes (3: one begins and is done, the next one begins), before the next checkpoint (4: that one is done as well)."""
PLAYS = {
    "classic-gate/green_ci_disabled_payment_test/medium/seed-3": "phase-aware",
    "classic-canary/easy/seed-0": "cautious",
}


@pytest.mark.slow
@pytest.mark.parametrize("event", DEATHS)
@pytest.mark.parametrize("scenario", PLAYS)
async def test_a_run_that_is_killed_at_every_node_makes_each_call_once(
    scenario: str, event: int, tmp_path: Path
) -> None:
    log, checkpoints = tmp_path / "log.sqlite3", tmp_path / "checkpoints.sqlite3"
    name = PLAYS[scenario]

    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.graphs.mortal",
            str(log),
            str(checkpoints),
            scenario,
            f"scripted:{name}",
            str(event),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told = json.loads(ran.stdout)

    async with open_checkpointer(str(checkpoints)) as saver:
        kept = await saver.aget_tuple(thread_config("mortal"))
    assert kept is not None
    state = kept.checkpoint["channel_values"]
    arena = open_arena(Settings(database_url=f"sqlite:///{log}"))
    whole = play_episode(arena, find_supervisor(name, scenario.split("/")[0]), scenario)
    assert told == {"killed": told["killed"], "exit": 0}, ran.stderr
    assert told["killed"] >= DEATHS[event] * state["calls"]
    assert state["stop_reason"] == "episode_over"
    assert calls_in_log(arena, state["episode_id"]) == calls_in_log(arena, whole.episode_id)
    assert arena.score(state["episode_id"]) == arena.score(whole.episode_id)
    assert verify_store(arena.store).episodes == 2
    arena.close()
