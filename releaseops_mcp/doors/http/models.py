"""Shapes of OpenEnv's routes, for the OpenAPI document and for GET /schema: no request runs through them."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from releaseops_mcp.arena.answers import ToolAnswer

OPEN = ConfigDict(extra="allow")
CLOSED = ConfigDict(extra="forbid")


class ProblemText(BaseModel):
    """What went wrong."""

    code: str = Field(description="One word for programs, such as `unknown_episode`.")
    message: str = Field(description="What is wrong, with which id, and what to do next.")


class ProblemBody(BaseModel):
    """Body of every answer from 400 up; a refused call on an episode also says how the episode stands."""

    model_config = OPEN

    error: ProblemText


class Health(BaseModel):
    """Answer of GET /health."""

    status: str = Field(description="`healthy`: the process serves. Whether the log does shows with the first call.")


class Metadata(BaseModel):
    """Answer of GET /metadata, as OpenEnv names things."""

    name: str
    description: str
    version: str
    author: str
    readme_content: str | None
    documentation_url: str | None


class Schemas(BaseModel):
    """Answer of GET /schema: three JSON schemas."""

    action: dict[str, Any]
    observation: dict[str, Any]
    state: dict[str, Any]


class Choice(BaseModel):
    """Which scenario to play: by name, or a suite's default one under a seed; classic-gate's default with neither."""

    model_config = OPEN

    scenario: str | None = Field(default=None, description="A scenario id or a ticket, as GET /tasks lists them.")
    suite: str | None = Field(default=None, description="A suite, for its default scenario.")
    seed: int | None = Field(default=None, description="Seed of the suite's default scenario.")
    agent: str | None = Field(default=None, description="Your own name, for the log.")
    model: str | None = Field(default=None, description="The model you run on, for the log.")


class ResetBody(Choice):
    """Body of POST /reset; null says nothing, unknown fields come back as `ignored`."""

    episode_id: str | None = Field(default=None, description="Resume this episode instead of beginning one.")


class CreateBody(Choice):
    """Body of POST /episodes; null says nothing, unknown fields are refused."""

    model_config = CLOSED


class Action(BaseModel):
    """One tool call on one episode."""

    model_config = CLOSED

    tool: str = Field(description="A tool of the episode's suite, or observe or finish_episode.")
    arguments: dict[str, Any] | None = Field(default=None, description="Its arguments, as GET /tasks describes them.")
    episode_id: str | None = Field(default=None, description="The episode; on a WebSocket that of the last reset.")
    action_id: str | None = Field(default=None, description="Name of this very call: sent again, it is applied once.")
    expected_step: int | None = Field(default=None, description="Refuse the call if the episode is at another step.")
    metadata: dict[str, Any] | None = Field(default=None, description="Ignored; OpenEnv's actions may carry it.")


class ActionBody(BaseModel):
    """Body of POST /step."""

    model_config = OPEN

    action: dict[str, Any] = Field(description="An action, as GET /schema describes it.")


class Observation(ToolAnswer):
    """What an action came to: what the tool answers, and the error where the call was refused."""

    model_config = OPEN

    episode_id: str | None = Field(description="The episode; null where none was named.")  # pyright: ignore[reportIncompatibleVariableOverride]
    error: str | None = Field(description="`code: message` of a refused call; null otherwise.")
    scenario: str | None = Field(default=None, description="After a reset: the ticket or the classic id.")
    suite: str | None = Field(default=None, description="After a reset: the suite.")


class StepResult(BaseModel):
    """Answer of POST /reset and POST /step."""

    observation: Observation
    reward: float
    done: bool


class ResetResult(StepResult):
    """Answer of POST /reset."""

    ignored: list[str] = Field(description="Fields of the body that mean nothing here.")


class State(BaseModel):
    """Answer of GET /state."""

    model_config = OPEN

    episode_id: str | None
    step_count: int
    done: bool
    terminal_reason: str | None
    observation: dict[str, Any]
