"""A run as a stream of typed events: nodes, tool calls and their answers, tokens, questions to a person, the end.

    async for event in stream_run(graph, {"scenario": "classic-canary/easy/seed-0"}, "thread-1"):
        print(event)

Every step is on disk before the next one begins (`durability="sync"`), so that a killed run goes on with
`stream_run(graph, None, "thread-1")`, and one that asked a person with `Command(resume=ANSWER)`.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# LangGraph ships no stubs and leaves the types of some of its methods' parameters open.

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, AIMessageChunk, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from graphs.nodes.base import calls_of
from graphs.state import Start
from graphs.supervisor import Graph


@dataclass(frozen=True, slots=True)
class NodeDone:
    """A node has run."""

    node: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of what a model says."""

    node: str
    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A model has asked for a tool call."""

    id: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """A tool call was answered."""

    id: str
    tool: str
    refused: bool
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A person is asked; the run waits (see `nodes.gate`)."""

    question: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run has stopped."""

    reason: str
    """A StopReason."""
    episode_id: str


RunEvent = NodeDone | Token | Called | Answered | Asked | Stopped
Given = Start | Command[Any] | None
"""What a run begins with; an answer to its question; or nothing, where it was killed."""


def thread_config(thread: str) -> RunnableConfig:
    """Return the configuration that names a run."""
    return {"configurable": {"thread_id": thread}}


async def stream_run(graph: Graph, given: Given, thread: str) -> AsyncIterator[RunEvent]:
    """Begin or continue a run and yield its events; the graph needs a checkpointer."""
    config = thread_config(thread)
    chunks = graph.astream(given, config, stream_mode=["updates", "messages"], durability="sync")
    async for mode, chunk in cast("AsyncIterator[tuple[str, Any]]", chunks):
        for event in _tokens(*chunk) if mode == "messages" else _updates(chunk):
            yield event
    state = (await graph.aget_state(config)).values
    if state.get("stop_reason"):
        yield Stopped(state["stop_reason"], state["episode_id"])


def _tokens(message: Any, metadata: Mapping[str, Any]) -> Iterator[RunEvent]:
    if isinstance(message, AIMessageChunk) and message.text:
        yield Token(metadata["langgraph_node"], message.text)


def _updates(chunk: Mapping[str, Any]) -> Iterator[RunEvent]:
    update: Any
    for node, update in chunk.items():
        if node == "__interrupt__":
            yield from (Asked(question.value) for question in update)
            continue
        for message in cast("dict[str, Any]", update or {}).get("messages", ()):
            yield from _said(message)
        yield NodeDone(node)


def _said(message: Any) -> Iterator[RunEvent]:
    if isinstance(message, AIMessage):
        yield from (Called(str(call["id"]), call["name"], call["args"]) for call in calls_of(message))
    elif isinstance(message, ToolMessage):
        refused = message.status == "error"
        yield Answered(message.tool_call_id, message.name or "", refused, message.text)
