"""What the arena answers, and the shape in which an agent sees it."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.rewards.base import StepReward

PAGE_CHARS = 6_000
"""A longer text in a result is cut into pages of this many characters."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one call on an episode came to. The reward is for trainers' doors; `public` leaves it out."""

    episode_id: str
    tool: str
    step: int
    """Judged calls so far."""
    result: Json | None
    refusal: Refusal | None
    observation: Json
    done: bool
    terminal_reason: str | None
    earned: StepReward = field(default_factory=lambda: StepReward(0.0))

    def public(self) -> Json:
        """Return what an agent sees of a call that was not refused (see `ToolAnswer`)."""
        return {
            "episode_id": self.episode_id,
            "step": self.step,
            "result": self.result,
            "observation": self.observation,
            "done": self.done,
            "terminal_reason": self.terminal_reason,
        }


@dataclass(frozen=True, slots=True)
class Started:
    """A fresh episode."""

    episode_id: str
    scenario: str
    """As the caller named it."""
    suite: str
    observation: Json

    def public(self) -> Json:
        """Return what an agent sees (see `StartedEpisode`)."""
        return {
            "episode_id": self.episode_id,
            "scenario": self.scenario,
            "suite": self.suite,
            "step": 0,
            "observation": self.observation,
            "done": False,
            "terminal_reason": None,
        }


class ToolAnswer(BaseModel):
    """Answer of every tool that acts on an episode."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"additionalProperties": False})

    episode_id: str = Field(description="The episode that this answer is about.")
    step: int = Field(description="Calls judged so far; pass it as expected_step to be sure that nobody came between.")
    result: dict[str, Any] | None = Field(
        description="What the tool found or did. A long text comes in pages: truncated is true and next_offset says "
        "where observe reads on."
    )
    observation: dict[str, Any] = Field(description="The release as it stands after this call.")
    done: bool = Field(description="Whether the episode is over.")
    terminal_reason: str | None = Field(description="How it ended; null while it runs.")


class StartedEpisode(BaseModel):
    """Answer of start_episode."""

    model_config = ConfigDict(extra="forbid")

    episode_id: str = Field(description="Handle of the new episode: every other tool takes it.")
    scenario: str = Field(description="The scenario as you named it.")
    suite: str = Field(description="The suite that it belongs to: its tools are the ones to call.")
    step: int = Field(description="Calls judged so far: 0.")
    observation: dict[str, Any] = Field(description="The release as it stands.")
    done: bool = Field(description="Whether the episode is over: false.")
    terminal_reason: str | None = Field(description="How it ended: null.")


class ListedScenario(BaseModel):
    """One scenario that can be started."""

    model_config = ConfigDict(extra="forbid")

    scenario: str = Field(description="What start_episode takes.")
    suite: str = Field(description="The suite that it belongs to.")
    level: str = Field(description="How hard it is, in the suite's own words.")


class ScenarioList(BaseModel):
    """Answer of list_scenarios."""

    model_config = ConfigDict(extra="forbid")

    scenarios: list[ListedScenario] = Field(description="One page of scenarios.")
    total: int = Field(description="How many there are in all.")
    truncated: bool = Field(description="Whether more follow this page.")
    next_offset: int | None = Field(description="The offset of the next page; null on the last one.")


def cut(result: Json | None, offset: int = 0) -> Json | None:
    """Return one page of a result: each text of it from `offset` on, at most PAGE_CHARS long.

    Where a text goes on, `truncated` is true and `next_offset` says where; a short result is returned as it is.
    """
    if result is None:
        return None
    long = {key: text for key, text in result.items() if isinstance(text, str) and len(text) > PAGE_CHARS}
    if not long:
        return result
    pages = {key: text[offset : offset + PAGE_CHARS] for key, text in long.items()}
    end = offset + PAGE_CHARS
    more = any(len(text) > end for text in long.values())
    return result | pages | {"truncated": more, "next_offset": end if more else None}
