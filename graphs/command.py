"""What `releaseops graph run` does: builds the graph of a run, streams it, and asks the person at the terminal."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import uuid4

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from graphs.asking import ask
from graphs.bridge import ArenaSession
from graphs.checkpoints import open_checkpointer
from graphs.in_process import LocalSession
from graphs.panel import build_panel
from graphs.settings import read_graph_settings
from graphs.setup import Setup
from graphs.showing import show, show_end
from graphs.state import Launch, Limits, Start
from graphs.streaming import Asked, Given, stream_run, thread_config
from graphs.supervisor import Graph, build_supervisor
from releaseops_mcp.cli.output import note
from releaseops_mcp.cli.session import Session
from releaseops_mcp.errors import InvalidArgument

GRAPHS: Mapping[str, Callable[..., Graph]] = {"supervisor": build_supervisor, "panel": build_panel}
USUAL: Launch = {"graph": "supervisor", "model": "", "human_gate": "auto", "url": ""}
Question = dict[str, Any]
"""What a person is asked (see `nodes.gate.question`)."""
SHOWN = ("episode_id", "suite", "stop_reason", "terminal_reason", "step", "calls", "tokens")


@dataclass(frozen=True, slots=True)
class Order:
    """What a command line asks for."""

    scenario: str
    thread: str
    """The run to resume; empty to begin one."""
    answer: Any
    """What the run is answered, where it waits; None for nothing."""
    given: Mapping[str, str]
    """What differs from how the run was begun, or from the usual."""
    checkpoints: str
    limits: Limits = field(default_factory=Limits)
    person: bool = False


async def carry_out(order: Order, session: Session, *, quiet: bool) -> dict[str, Any]:
    """Begin or resume a run, play it as far as it goes, and return where it stands, as plain JSON."""
    async with open_run(order, session) as (graph, launch, thread):
        note(f"{session.command} graph run --resume {thread}  # should this run be cut short")
        begun: Start = {"scenario": order.scenario, "model": launch["model"], "launch": launch}
        question = await _waiting(graph, thread) if order.thread else None
        question = await _play(graph, None if order.thread else begun, question, thread, order, quiet=quiet)
        state = (await graph.aget_state(thread_config(thread))).values
    came = {"thread": thread, **{key: state.get(key) for key in SHOWN}, "waiting": question}
    if not quiet:
        show_end(came, session.command)
    return came


@asynccontextmanager
async def open_run(order: Order, session: Session) -> AsyncGenerator[tuple[Graph, Launch, str]]:
    """Open all that a run needs; raises InvalidArgument for a run that nobody knows, or without a model."""
    settings = read_graph_settings()
    async with open_checkpointer(order.checkpoints or settings.checkpoints) as saver:
        launch = await _launch(order, saver)
        if launch["graph"] not in GRAPHS or not launch["model"]:
            raise InvalidArgument("name a --model, such as scripted:rule or openai:NAME")
        async with _arena(launch["url"], settings.token, session) as reached:
            setup = Setup(reached, launch["model"], order.limits, launch["human_gate"], person=order.person)
            yield GRAPHS[launch["graph"]](setup, saver), launch, order.thread or f"run_{uuid4().hex}"


async def _launch(order: Order, saver: BaseCheckpointSaver[Any]) -> Launch:
    kept: Mapping[str, Any] = USUAL
    if order.thread:
        found = await saver.aget_tuple(thread_config(order.thread))
        if found is None:
            raise InvalidArgument(f"no run {ascii(order.thread)[:80]} in these checkpoints")
        kept = found.checkpoint["channel_values"].get("launch", USUAL)
    return cast("Launch", {**kept, **{key: value for key, value in order.given.items() if value}})


@asynccontextmanager
async def _arena(url: str, token: str, session: Session) -> AsyncGenerator[ArenaSession]:
    if not url:
        yield LocalSession(session.arena)
        return
    from graphs.over_mcp import connect

    async with connect(url, token) as reached:
        yield reached


async def _waiting(graph: Graph, thread: str) -> Question | None:
    """Return the question that a run waits at."""
    state = await graph.aget_state(thread_config(thread))
    return next((question.value for question in state.interrupts), None)


async def _play(
    graph: Graph, given: Given, question: Question | None, thread: str, order: Order, *, quiet: bool
) -> Question | None:
    """Play until the run stops, or waits for an answer that nobody here can give: that question is returned."""
    replies = [order.answer] if order.answer is not None else []
    while True:
        if question is not None:
            if not replies and not order.person:
                return question
            reply = replies.pop() if replies else await asyncio.to_thread(ask, question)
            given, question = Command(resume=reply), None
        async for event in stream_run(graph, given, thread):
            if isinstance(event, Asked):
                question = event.question
            elif not quiet:
                show(event)
        if question is None:
            return None


def diagram(name: str) -> str:
    """Return a graph as Mermaid."""
    nowhere = cast("ArenaSession", None)
    return GRAPHS[name](Setup(nowhere, "")).get_graph().draw_mermaid()
