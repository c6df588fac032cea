"""Shapes of the routes about grading and the catalogue, for the OpenAPI document: no request runs through them."""

from typing import Any

from pydantic import BaseModel, Field

from releaseops_mcp.arena.answers import ScenarioList
from releaseops_mcp.doors.http.models import CLOSED, OPEN


class GraderBody(BaseModel):
    """Body of POST /grader."""

    model_config = CLOSED

    episode_id: str = Field(description="The episode to account for.")


class BaselineBody(BaseModel):
    """Body of POST /baseline; null says nothing."""

    model_config = CLOSED

    suite: str | None = Field(default=None, description="Only this suite; all that may be graded otherwise.")
    seed: int | None = Field(default=None, description="Seed of each scenario, 0 by default.")


class Graded(BaseModel):
    """Answer of POST /grader: the full account of an episode, step by step."""

    model_config = OPEN

    episode_id: str
    scenario: str
    suite: str
    ended: bool
    terminal_reason: str | None
    reward: float | None = Field(description="The figure so far; null where the episode is unscored.")
    validity: str | None = Field(description="`running`, `complete`, `closed` or `expired`.")
    components: dict[str, float]
    metrics: dict[str, Any]
    steps: list[dict[str, Any]]
    report: dict[str, Any] = Field(description="The suite's own full account.")
    unscored: str | None


class BaselineRun(BaseModel):
    """One episode of the baseline."""

    episode_id: str
    scenario: str
    reward: float | None
    steps: int
    terminal_reason: str | None


class SuiteBaseline(BaseModel):
    """What the baseline came to on one suite."""

    agent: str
    average: float | None
    episodes: list[BaselineRun]


class Baseline(BaseModel):
    """Answer of POST /baseline, by suite."""

    suites: dict[str, SuiteBaseline]


class ScoredEpisode(BaseModel):
    """The score that stands for one episode; null fields where it has none."""

    number: int
    episode_id: str
    scenario: str
    suite: str
    agent: str
    ended: bool
    terminal_reason: str | None
    reward_id: str | None
    version: str | None
    total: float | None
    components: dict[str, float]
    validity: str | None


class ScoreList(BaseModel):
    """Answer of GET /scores: one page."""

    scores: list[ScoredEpisode]
    next_after: int | None = Field(description="`after` of the next page; null on the last one.")


class ListedSuite(BaseModel):
    """One suite."""

    name: str
    version: str
    title: str
    open_ids: bool
    families: list[str] = Field(description="Empty where naming them would give answers away.")
    splits: dict[str, int] = Field(description="How many scenarios each named list holds.")
    default_scenario: str | None = Field(description="Null where ids are closed.")
    reward: str = Field(description="`reward_id@version` of its scorer.")
    policy: str = Field(description="The visible rules, as Markdown.")


class SuiteList(BaseModel):
    """Answer of GET /suites."""

    suites: list[ListedSuite]


class TaskList(ScenarioList):
    """Answer of GET /tasks: one page of scenarios, and the tools to play them with."""

    tools: list[dict[str, Any]] = Field(description="Each tool's name, description and JSON schema of its arguments.")
