"""The runner `graph`: lets a supervisor play through the supervisor graph, for `releaseops eval --via graph`."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# LangGraph ships no stubs and leaves the types of some of its methods' parameters open.

import asyncio
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolMessage

from graphs.in_process import LocalSession
from graphs.scripted_model import SupervisorChat
from graphs.setup import Chat, Setup
from graphs.state import Limits, Start
from graphs.supervisor import build_supervisor
from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.drive import MAX_CALLS, SupervisorFailed
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.tools import EPISODE_ID, FINISH_EPISODE
from releaseops_mcp.errors import EnvironmentFault, InvalidArgument

LIMITS = Limits(calls=MAX_CALLS, idle_turns=1, refused_turns=MAX_CALLS)
"""Those of a run in process: a supervisor may be refused as often as it likes, and leaves when it calls nothing."""


def play_through_graph(arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
    """Start a scenario (id or ticket), let a supervisor play it through the graph, and return what it came to.

    A supervisor with a model behind it plays as that model, with tool calls, in place of its own policy. Raises
    InvalidArgument where the supervisor plays another suite, and what `Arena.start` and the log raise.
    """
    parsed, suite = arena.tickets.resolve(scenario, operator=True)
    if supervisor.suite != suite.name:
        raise InvalidArgument(f"agent {supervisor.name} plays {supervisor.suite}, and {parsed.id} is of {suite.name}")
    if supervisor.runner is not None:
        raise InvalidArgument(f"agent {supervisor.name} connects by itself: leave --via out")
    session = LocalSession(arena, capture=supervisor.capture)
    chat = supervisor.model or SupervisorChat(supervisor=supervisor, seed=seed)
    given: Start = {"scenario": scenario, "agent": supervisor.name, "model": supervisor.model}
    state, fault = asyncio.run(_play(session, chat, given))
    episode_id = next(iter(session.origins), "")
    if fault and episode_id:
        asyncio.run(session.call(FINISH_EPISODE.name, {EPISODE_ID.name: episode_id}))
    score = arena.score(episode_id) if episode_id else None
    return Played(
        episode_id=episode_id,
        scenario=parsed.id,
        suite=suite.name,
        family=parsed.family,
        agent=supervisor.name,
        steps=arena.peek(episode_id).step if episode_id else 0,
        invalid=_refused(state),
        reward=None if fault or score is None else score.total,
        components=score.body["components"] if score else {},
        metrics=score.body["metrics"] if score else {},
        terminal_reason=state.get("terminal_reason"),
        truncated=fault is None and state.get("stop_reason") in ("call_limit", "token_limit"),
        fault=fault,
    )


async def _play(session: LocalSession, chat: Chat, given: Start) -> tuple[Mapping[str, Any], str | None]:
    """Return the last state, and what went wrong on the way."""
    graph = build_supervisor(Setup(session, chat, LIMITS))
    state: Mapping[str, Any] = {}
    try:
        async for values in graph.astream(given, stream_mode="values"):
            state = values
    except SupervisorFailed as failure:
        return state, failure.fault
    except EnvironmentFault as failure:
        return state, failure.text
    return state, None


def _refused(state: Mapping[str, Any]) -> int:
    answers = (message for message in state.get("messages", ()) if isinstance(message, ToolMessage))
    return sum(answer.artifact is None for answer in answers)
