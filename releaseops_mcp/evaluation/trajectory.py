"""A logged episode as the calls that it was made of, each with what the agent saw before it and how it was graded."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from releaseops_mcp.audit.rescore import fold_stepwise, steps_of
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.events import EpisodeStart, Message, ModelCall
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.rewards.base import StepReward


class Call(NamedTuple):
    """One judged call."""

    tool: str
    arguments: Json
    """What was sent; of any shape where the call was refused."""
    error: str | None
    """Code of the refusal."""
    result: Json | None
    before: Json
    """The observation that the call was made on."""
    after: Json
    done: bool
    terminal_reason: str | None
    reward: float | None
    """What the suite's own environment reports with this step; None where the log holds no truth."""
    detail: Json
    """The suite's grading of this step; empty where the log holds no truth."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One episode, call by call."""

    suite: str
    first_observation: Json
    calls: tuple[Call, ...]
    said: tuple[str, ...]
    """What the agent wrote outside its calls, where the log holds its messages."""
    model_calls: tuple[dict[str, Any], ...]
    """The data of its `model_call` events."""

    @property
    def accepted(self) -> list[Call]:
        """The calls that were not refused."""
        return [call for call in self.calls if call.error is None]


def trajectory_of(episode: LoggedEpisode) -> Trajectory:
    """Return the trajectory of one episode of any log; its calls are graded where truth and scorer are at hand."""
    start = episode.start
    rewards = _rewards(episode)
    calls: list[Call] = []
    before: Json = start["observation"]
    for number, step in enumerate(steps_of(episode.events[1:], before)):
        reward = rewards[number] if rewards else StepReward(0.0)
        calls.append(
            Call(
                step.tool,
                step.arguments,
                step.error,
                step.result,
                before,
                step.observation,
                step.done,
                step.terminal_reason,
                reward.reward if rewards else None,
                reward.detail,
            )
        )
        before = step.observation
    messages = (event.data for event in episode.events if event.kind == Message.kind)
    return Trajectory(
        start["suite"],
        start["observation"],
        tuple(calls),
        tuple(message["content"] for message in messages if message["role"] == "assistant"),
        tuple(event.data for event in episode.events if event.kind == ModelCall.kind),
    )


def _rewards(episode: LoggedEpisode) -> list[StepReward]:
    assert episode.events[0].kind == EpisodeStart.kind
    if episode.truth is None:
        return []
    try:
        return fold_stepwise(episode.events, episode.truth)[1]
    except VersionMismatch:
        return []
