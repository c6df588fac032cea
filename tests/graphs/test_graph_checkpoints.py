"""Where runs are kept: SQLite by default, Postgres by URL; nothing but plain types and messages is read back."""

from pathlib import Path

import pytest
from langgraph.types import Command

from graphs.checkpoints import open_checkpointer
from graphs.in_process import LocalSession
from graphs.settings import read_graph_settings
from graphs.setup import Setup
from graphs.streaming import Asked, Stopped, stream_run
from graphs.supervisor import build_supervisor
from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import InvalidArgument
from tests.graphs.graphkit import ROLLED_BACK, scripted
from tests.sequences import CANARY_SCENARIO

pytestmark = pytest.mark.anyio


async def waits_and_goes_on(where: str, arena: Arena) -> None:
    """Let a run wait for a person, open everything anew, and let it go on."""
    setup = Setup(LocalSession(arena), scripted(ROLLED_BACK[2]), human_gate="required")
    async with open_checkpointer(where) as saver:
        begun = [
            event async for event in stream_run(build_supervisor(setup, saver), {"scenario": CANARY_SCENARIO}, "t")
        ]
    async with open_checkpointer(where) as saver:
        ended = [event async for event in stream_run(build_supervisor(setup, saver), Command(resume=True), "t")]

    assert isinstance(begun[-1], Asked)
    assert isinstance(ended[-1], Stopped)
    assert arena.peek(ended[-1].episode_id).step == 1


async def test_a_run_waits_in_a_sqlite_file(tmp_path: Path, sqlite_arena: Arena) -> None:
    await waits_and_goes_on(str(tmp_path / "new folder" / "checkpoints.sqlite3"), sqlite_arena)


async def test_a_run_waits_in_postgres(postgres_url: str, sqlite_arena: Arena) -> None:
    pytest.importorskip("langgraph.checkpoint.postgres", reason="needs langgraph-checkpoint-postgres")
    await waits_and_goes_on(postgres_url, sqlite_arena)


async def test_another_database_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="not to mysql://"):
        async with open_checkpointer("mysql://localhost/runs"):
            pass


def test_the_file_is_named_by_the_environment(tmp_path: Path) -> None:
    assert read_graph_settings({"RELEASEOPS_CHECKPOINTS": "here"}).checkpoints == "here"
    assert read_graph_settings({}).checkpoints.endswith("checkpoints.sqlite3")
    with pytest.raises(InvalidArgument, match="RELEASEOPS_HUMAN_GATE"):
        read_graph_settings({"RELEASEOPS_HUMAN_GATE": "perhaps"})
