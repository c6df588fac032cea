"""The shapes of classic-gate's bodies and answers, for documents and tests: no request runs through them."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from releaseops_mcp.doors.http.classic_gate.observation import GateObservation
from releaseops_mcp.doors.http.classics.openenv import State
from releaseops_mcp.episodes.classic_gate.families import GREEN_CI

_Closed = ConfigDict(frozen=True, extra="forbid")
_Open = ConfigDict(frozen=True, extra="allow")


class GateAction(BaseModel):
    """One tool call, as the WebSocket takes it."""

    model_config = _Closed

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])
    action_id: str | None = None
    """Optional name of this very call: sent again, it is applied once."""
    metadata: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Free for the caller; ignored."""


class WsObservation(BaseModel):
    """What the WebSocket shows after a reset or a call; reward and done stand beside it."""

    model_config = _Closed

    env_id: str | None
    """The episode's id; null before the first reset."""
    observation: GateObservation | dict[str, Any]
    """The release as it stands; empty before the first reset."""
    result: dict[str, Any] | None
    """What the tool found or did."""
    terminal_reason: str | None


class ResetBody(BaseModel):
    """Keywords of a reset; others are ignored, so that a whole dataset row may be passed."""

    model_config = _Open

    family: str = GREEN_CI
    """One of the four families."""
    seed: int | None = 42
    """At most 18 digits; null draws one."""
    difficulty: Any = "medium"
    """Only whether it is exactly `low` matters."""
    archetype_mix: Any = "shortcut_ci__careful_qa"
    """Ignored."""


class StepBody(BaseModel):
    """One tool call on an environment."""

    model_config = _Open

    env_id: str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])
    action_id: str | None = None
    """Optional name of this very call: sent again, it is applied once and answered as before."""


class CloseBody(BaseModel):
    """Which environment to close."""

    model_config = _Open

    env_id: str


class ResetAnswer(BaseModel):
    """A fresh environment."""

    model_config = _Closed

    env_id: str
    observation: GateObservation
    reward: float
    done: bool


class StepAnswer(BaseModel):
    """What a call came to."""

    model_config = _Closed

    env_id: str
    result: dict[str, Any]
    observation: GateObservation
    reward: float
    """Cumulative."""
    done: bool
    terminal_reason: Literal["safe_ship", "unsafe_ship", "missed_deadline"] | None


class CloseAnswer(BaseModel):
    """The environment is closed."""

    model_config = _Closed

    env_id: str
    closed: bool


class GateHealth(BaseModel):
    """The server is up."""

    model_config = _Closed

    ok: bool
    status: str
    active_sessions: int
    """Environments that this process began over POST /reset and believes to be open."""
    max_concurrent_envs: int


class GateState(State):
    """An environment's state; `done` and `terminal_reason` are missing where none is named."""

    done: bool = False
    terminal_reason: str | None = None
