"""What the graph tests share: runs on an arena, and what the log says of them."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.memory import InMemorySaver

from graphs.bridge import ArenaSession
from graphs.in_process import LocalSession
from graphs.scripted_model import ScriptedChat, script
from graphs.setup import Setup
from graphs.state import Limits
from graphs.streaming import RunEvent, stream_run, thread_config
from graphs.supervisor import Graph, build_supervisor
from releaseops_mcp.arena import Arena
from tests.playing import logged
from tests.sequences import CANARY_SCENARIO, decision

THREAD = "thread"
ROLLED_BACK = (decision("increase_10"), decision("hold"), decision("rollback"))


def scripted(*calls: tuple[str, dict[str, Any]], strict: bool = True) -> ScriptedChat:
    """Return a model that makes these calls, one a turn."""
    return ScriptedChat(script=script(calls), strict=strict)


def supervisor(target: Arena | ArenaSession, chat: BaseChatModel | str, **more: Any) -> Graph:
    """Return a supervisor with checkpoints in memory."""
    session = LocalSession(target) if isinstance(target, Arena) else target
    return build_supervisor(Setup(session, chat, more.pop("limits", Limits()), **more), InMemorySaver())


async def play(
    graph: Graph, given: Any = None, scenario: str = CANARY_SCENARIO
) -> tuple[list[RunEvent], dict[str, Any]]:
    """Run a graph and return its events and its last state."""
    events = [event async for event in stream_run(graph, given or {"scenario": scenario}, THREAD)]
    return events, (await graph.aget_state(thread_config(THREAD))).values


def calls_in_log(arena: Arena, episode_id: str) -> list[tuple[str, Any, str | None]]:
    """Return tool, arguments and error of every call that the log holds, in order."""
    events = logged(arena.store, episode_id).events
    calls = [event for event in events if event.kind == "tool_call"]
    results = [event for event in events if event.kind == "tool_result"]
    return [
        (call.data["tool"], call.data["arguments"], result.data["error"])
        for call, result in zip(calls, results, strict=True)
    ]
