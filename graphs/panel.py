"""A panel of three: an investigator who reads, a sceptic who objects, a decider who acts.

    brief -> investigator <-> inspect
                |
             sceptic -> mute -> decider -> gate -> tools -> reflect -> investigator, or close

`mute` answers the tool calls of a sceptic who was given no tools. These are the supervisor's own nodes with other
edges: this is how to build a graph of one's own.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# LangGraph ships no stubs and leaves the types of some of its methods' parameters open.

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph

from graphs import nodes
from graphs.bridge import Offer
from graphs.nodes.base import calls_of, last_answer
from graphs.setup import Setup
from graphs.state import Start, SupervisorState
from graphs.supervisor import Graph, after_brief, after_gate, after_reflect, finished

ROLES = ("investigator", "sceptic", "decider")


def build_panel(setup: Setup, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Graph:
    """Return the graph."""
    graph = StateGraph(SupervisorState, input_schema=Start)
    graph.add_node("brief", nodes.brief(setup))
    graph.add_node("investigator", nodes.decide(setup, "investigator", _reads))
    graph.add_node("inspect", nodes.tools(setup, _reads))
    graph.add_node("weigh", nodes.reflect(setup))
    graph.add_node("sceptic", nodes.decide(setup, "sceptic", _nothing))
    graph.add_node("mute", nodes.tools(setup, _nothing))
    graph.add_node("decider", nodes.decide(setup, "decider"))
    graph.add_node("gate", nodes.gate(setup))
    graph.add_node("tools", nodes.tools(setup))
    graph.add_node("reflect", nodes.reflect(setup))
    graph.add_node("close", nodes.close(setup))
    graph.add_edge(START, "brief")
    graph.add_conditional_edges("brief", after_brief, {"go": "investigator", "stop": "close"})
    graph.add_conditional_edges("investigator", _after_investigator, {"read": "inspect", "told": "sceptic"})
    graph.add_edge("inspect", "weigh")
    graph.add_conditional_edges("weigh", after_reflect, {"go": "investigator", "stop": "close"})
    graph.add_edge("sceptic", "mute")
    graph.add_edge("mute", "decider")
    graph.add_edge("decider", "gate")
    graph.add_conditional_edges("gate", after_gate, {"ask": "gate", "go": "tools"})
    graph.add_edge("tools", "reflect")
    graph.add_conditional_edges("reflect", after_reflect, {"go": "investigator", "stop": "close"})
    graph.add_edge("close", END)
    return finished(graph, "panel", checkpointer)


@asynccontextmanager
async def make_graph(config: RunnableConfig) -> AsyncGenerator[Graph]:
    """Serve the graph: called for every request, so it holds nothing; see `graphs.serving` for what it reads."""
    from graphs.serving import served_setup

    async with served_setup(config) as setup:
        yield build_panel(setup)


def _reads(offer: Offer) -> bool:
    return offer.read_only


def _nothing(offer: Offer) -> bool:
    return False


def _after_investigator(state: SupervisorState) -> str:
    return "read" if calls_of(last_answer(state["messages"])) else "told"
