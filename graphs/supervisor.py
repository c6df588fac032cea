"""The supervisor: brief, decide, gate, tools, reflect, and again, until the run has a reason to stop.

    brief -> decide -> gate -> tools -> reflect -> close
               ^                           |
               +---------------------------+

Every suite plays through this one graph. `make_graph` serves it under `langgraph dev`.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# LangGraph ships no stubs and leaves the types of some of its methods' parameters open.

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs import nodes
from graphs.setup import Setup
from graphs.state import Start, SupervisorState

Graph = CompiledStateGraph[SupervisorState, None, Start, SupervisorState]
NEVER = 1_000_000
"""Steps that LangGraph allows: the run's own limits stop it long before, and say why."""


def build_supervisor(setup: Setup, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Graph:
    """Return the graph; without a checkpointer it can neither be resumed nor ask a person."""
    graph = StateGraph(SupervisorState, input_schema=Start)
    graph.add_node("brief", nodes.brief(setup))
    graph.add_node("decide", nodes.decide(setup))
    graph.add_node("gate", nodes.gate(setup))
    graph.add_node("tools", nodes.tools(setup))
    graph.add_node("reflect", nodes.reflect(setup))
    graph.add_node("close", nodes.close(setup))
    graph.add_edge(START, "brief")
    graph.add_conditional_edges("brief", after_brief, {"go": "decide", "stop": "close"})
    graph.add_edge("decide", "gate")
    graph.add_conditional_edges("gate", after_gate, {"ask": "gate", "go": "tools"})
    graph.add_edge("tools", "reflect")
    graph.add_conditional_edges("reflect", after_reflect, {"go": "decide", "stop": "close"})
    graph.add_edge("close", END)
    return finished(graph, "supervisor", checkpointer)


def finished(
    graph: "StateGraph[SupervisorState, None, Start, SupervisorState]",
    name: str,
    checkpointer: BaseCheckpointSaver[Any] | None,
) -> Graph:
    """Compile a graph."""
    return graph.compile(checkpointer=checkpointer, name=name).with_config(recursion_limit=NEVER)


def after_brief(state: SupervisorState) -> str:
    """Stop at once where the episode that was taken over has ended already."""
    return "stop" if state["done"] else "go"


def after_gate(state: SupervisorState) -> str:
    """Ask again where the person's answer could not be read."""
    return "ask" if state["gate_problem"] else "go"


def after_reflect(state: SupervisorState) -> str:
    """Go on where there is no reason to stop."""
    return "stop" if state["stop_reason"] else "go"


@asynccontextmanager
async def make_graph(config: RunnableConfig) -> AsyncGenerator[Graph]:
    """Serve the graph: called for every request, so it holds nothing; see `graphs.serving` for what it reads."""
    from graphs.serving import served_setup

    async with served_setup(config) as setup:
        yield build_supervisor(setup)
