"""Plays a run in process after process, each of which dies on the spot; prints how often, as a program of its own.

    python -m tests.graphs.mortal LOG CHECKPOINTS SCENARIO MODEL EVENT

Each process goes on with the run and kills itself with SIGKILL at its EVENT-th event (a node begins, a node has run),
or, where EVENT is 0, as soon as the arena has applied a call and before anybody hears of it; until one reaches the
end. A process is forked from this one, which has imported everything and opened nothing.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphs.bridge import Outcome
from graphs.checkpoints import open_checkpointer
from graphs.in_process import LocalSession
from graphs.setup import Setup
from graphs.streaming import thread_config
from graphs.supervisor import build_supervisor
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.settings import Settings, open_arena

MOST = 200


@dataclass(frozen=True)
class Deadly(LocalSession):
    """A session whose user does not survive a call that was applied."""

    async def call(self, tool: str, arguments: Json) -> Outcome:
        before = self.arena.peek(arguments["episode_id"]).step
        outcome = await super().call(tool, arguments)
        if self.arena.peek(arguments["episode_id"]).step > before:
            die()
        return outcome


def die() -> None:
    """Leave at once, with nothing tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


async def live(log: str, checkpoints: str, scenario: str, model: str, last_event: int) -> None:
    """Go on with the run until it ends, or until this process has seen its last event."""
    config = thread_config("mortal")
    with closing(open_arena(Settings(database_url=f"sqlite:///{log}"))) as arena:
        async with open_checkpointer(checkpoints) as saver:
            graph = build_supervisor(Setup((LocalSession if last_event else Deadly)(arena), model), saver)
            begun = bool((await graph.aget_state(config)).values)
            given: Any = None if begun else {"scenario": scenario}
            seen = 0
            async for _ in graph.astream(given, config, stream_mode="tasks", durability="sync"):
                seen += 1
                if seen == last_event:
                    die()


def main(log: str, checkpoints: str, scenario: str, model: str, event: str) -> None:
    """Fork until a process lives to the end of the run."""
    for killed in range(MOST):
        child = os.fork()
        if child == 0:
            asyncio.run(live(log, checkpoints, scenario, model, int(event)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            print(json.dumps({"killed": killed, "exit": os.WEXITSTATUS(status)}))
            return


if __name__ == "__main__":
    assert Path(sys.argv[1]).is_absolute()
    main(*sys.argv[1:])
