"""Shapes of the routes about episodes and their grading, for the OpenAPI document: no request runs through them."""

from typing import Any

from pydantic import BaseModel, Field

from releaseops_mcp.arena.answers import ToolAnswer
from releaseops_mcp.doors.http.models import CLOSED, OPEN


class CallBody(BaseModel):
    """Body of POST /episodes/{episode_id}/step."""

    model_config = CLOSED

    tool: str = Field(description="A tool of the episode's suite, or observe or finish_episode.")
    arguments: dict[str, Any] | None = Field(default=None, description="Its arguments, as GET /tasks describes them.")
    action_id: str | None = Field(default=None, description="Name of this very call: sent again, it is applied once.")
    expected_step: int | None = Field(default=None, description="Refuse the call if the episode is at another step.")


class CallResult(ToolAnswer):
    """Answer of POST /episodes/{episode_id}/step."""

    model_config = OPEN

    reward: float = Field(description="What the call earned, as the suite's own environment reports it.")


class Standing(BaseModel):
    """Answer of GET /episodes/{episode_id}/state."""

    episode_id: str
    step: int
    observation: dict[str, Any]
    done: bool
    terminal_reason: str | None


class Transcript(BaseModel):
    """Answer of GET /episodes/{episode_id}/transcript: one page."""

    episode_id: str
    suite: str
    scenario: str | None = Field(description="As it was named; null where that would give a closed id away.")
    done: bool
    total: int = Field(description="Entries in all.")
    offset: int
    entries: list[dict[str, Any]]
    truncated: bool
    next_offset: int | None


class ListedEpisode(BaseModel):
    """One episode of a list."""

    number: int
    episode_id: str
    scenario: str
    suite: str
    family: str
    agent: str
    started_ms: int
    updated_ms: int
    steps: int
    ended: bool
    terminal_reason: str | None


class EpisodeList(BaseModel):
    """Answer of GET /episodes: one page."""

    episodes: list[ListedEpisode]
    next_after: int | None = Field(description="`after` of the next page; null on the last one.")


class LoggedEvent(BaseModel):
    """One event of an episode's log."""

    seq: int
    kind: str
    at_ms: int
    data: dict[str, Any]
    hash: str


class EventList(BaseModel):
    """Answer of GET /episodes/{episode_id}/events: one page."""

    episode_id: str
    count: int = Field(description="Events in all.")
    head: str = Field(description="Hash of the last one.")
    events: list[LoggedEvent]
    next_after: int | None = Field(description="`after` of the next page; null on the last one.")


class EventBody(BaseModel):
    """Body of POST /episodes/{episode_id}/events: a `message` or a `model_call` of the agent's side."""

    model_config = CLOSED

    kind: str = Field(description="`message` or `model_call`.")
    data: dict[str, Any] = Field(description="The event's fields, as docs/http.md lists them.")


class Recorded(BaseModel):
    """Answer of POST /episodes/{episode_id}/events."""

    episode_id: str
    recorded: str = Field(description="The kind of event that the log now holds.")
