"""What a run knows: plain JSON types and messages, so that any checkpointer keeps it and any process resumes it."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# LangGraph ships no stubs and leaves the types of some of its methods' parameters open.

from typing import Annotated, Any, Literal, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field

HumanGate = Literal["off", "required", "auto"]
"""`off` never asks; `required` asks before each destructive call; `auto` asks where a person can answer."""

StopReason = Literal["episode_over", "call_limit", "token_limit", "no_tool_calls", "calls_refused"]
"""Why a run stopped. The last two are no progress: turns in a row without a call, or without one that was accepted."""


class Limits(BaseModel):
    """When a run stops although its episode is not over."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = Field(default=200, ge=1)
    """Tool calls in all, the refused ones too."""
    tokens: int = Field(default=0, ge=0)
    """Tokens in all, as the model reports them; 0 for any number."""
    idle_turns: int = Field(default=3, ge=1)
    """Turns in a row without a tool call."""
    refused_turns: int = Field(default=8, ge=1)
    """Turns in a row whose calls were all refused, by the arena or by a person."""


class Decision(TypedDict, total=False):
    """What a person said about one call."""

    action: Literal["approve", "edit", "refuse"]
    arguments: dict[str, Any]
    """In place of the model's, where the person edits the call."""
    reason: str
    """Where the person refuses: the model reads it as the tool's answer."""


class Launch(TypedDict):
    """What the command line builds a graph from: kept with a run, so that it is resumed as it was begun."""

    graph: str
    model: str
    human_gate: HumanGate
    url: str


class _Named(TypedDict, total=False):
    scenario: str
    """As the operator names it; no message to a model holds it."""
    agent: str
    """Name for the log."""
    model: str
    """Name of the model, for the log and for resuming."""
    launch: Launch
    """How to build the graph again."""


class Start(_Named, total=False):
    """What a caller gives: `scenario`, or `episode_id` and `suite` to take over a running episode."""

    episode_id: str
    suite: str


class SupervisorState(_Named):
    """State of one run, from `brief` on."""

    episode_id: str
    suite: str
    messages: Annotated[list[AnyMessage], add_messages]
    observation: dict[str, Any]
    """The release as it stands."""
    figures: dict[str, float]
    """Every plain number of the observation, such as what is left of the budget and the time to the deadline."""
    step: int
    """Calls that the arena had judged at its last answer; a refusal does not tell."""
    calls: int
    """Tool calls that the model has asked for."""
    tokens: int
    """Tokens that the model has reported."""
    idle_turns: int
    refused_turns: int
    done: bool
    terminal_reason: str | None
    decisions: dict[str, Decision]
    """A person's decisions on this turn's calls, by tool call id."""
    gate_problem: str
    """Why the person's last answer could not be read; empty where it could."""
    stop_reason: str
    """A StopReason once the run has stopped; empty before."""


def figures_of(observation: dict[str, Any]) -> dict[str, float]:
    """Return the plain numbers of an observation by name."""
    return {
        name: value
        for name, value in observation.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
