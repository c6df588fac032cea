"""The full account of one episode, from its log and its truth alone: what `episodes show` prints."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.audit.rescore import fold_stepwise, score_draft
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.events import EpisodeEnd, ToolCall, ToolResult
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.rewards.base import StepReward


class AccountedStep(BaseModel):
    """One judged call and what it earned."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: int
    """From 1."""
    at_ms: int
    """Unix time of the answer in milliseconds."""
    tool: str
    arguments: Any
    action_id: str | None
    error: str | None
    """Code of the refusal."""
    message: str | None
    result: Json | None
    observation: Json | None
    """What the agent saw after the call; null where it was refused."""
    done: bool
    terminal_reason: str | None
    duration_ms: float
    reward: float | None
    """The figure that the suite's own environment reports with this step; null where the episode is unscored."""
    detail: Json
    """The suite's grading of this step."""


class Account(BaseModel):
    """One episode, told in full, grading included: never for a running agent's eyes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    episode_id: str
    scenario: str
    suite: str
    family: str
    level: str
    seed: int
    world_hash: str
    started_ms: int
    ended: bool
    terminal_reason: str | None
    events: int
    """Events in the log, the calls that were never judged included."""
    head: str
    """Hash of the last event."""
    steps: tuple[AccountedStep, ...]
    reward: float | None
    """The figure so far; null where the episode is unscored."""
    reward_id: str | None
    reward_version: str | None
    validity: str | None
    """`running`, `complete`, `closed` or `expired`."""
    components: dict[str, float]
    metrics: Json
    report: Json
    """The suite's own full account."""
    unscored: str | None
    """Why there is no figure."""
    origin: dict[str, str]
    versions: dict[str, str]
    capture: str


def account(episode: LoggedEpisode) -> Account:
    """Return the full account of one episode of any log."""
    start, events = episode.start, episode.events
    end = next((event for event in events if event.kind == EpisodeEnd.kind), None)
    reason = end.data["reason"] if end else None
    named = ("scenario", "suite", "family", "level", "seed", "world_hash", "origin", "versions", "capture")
    rewards, figure = _figure(episode, reason, ended=end is not None)
    return Account(
        episode_id=episode.id,
        **{name: start[name] for name in named},
        started_ms=events[0].at_ms,
        ended=end is not None,
        terminal_reason=reason,
        events=episode.count,
        head=episode.head,
        steps=tuple(_steps(events, rewards)),
        **figure,
    )


def _figure(episode: LoggedEpisode, reason: str | None, *, ended: bool) -> tuple[list[StepReward], dict[str, Any]]:
    """Return what each step earned, and the fields of the account that only a scorer can fill."""
    why = "the export holds no truth: export it with the truth" if episode.truth is None else None
    if episode.truth is not None:
        try:
            tally, rewards = fold_stepwise(episode.events, episode.truth)
        except VersionMismatch as error:
            why = error.message
        else:
            draft = score_draft(tally.score(), reason, ended=ended)
            return rewards, {
                "reward": draft.total,
                "reward_id": draft.reward_id,
                "reward_version": draft.version,
                "validity": draft.body["validity"],
                "components": draft.body["components"],
                "metrics": draft.body["metrics"],
                "report": tally.report(),
                "unscored": None,
            }
    nothing = dict.fromkeys(("reward", "reward_id", "reward_version", "validity"))
    return [], {**nothing, "components": {}, "metrics": {}, "report": {}, "unscored": why}


def _steps(events: tuple[LoggedEvent, ...], rewards: list[StepReward]) -> Iterator[AccountedStep]:
    call: dict[str, Any] = {}
    earned = iter(rewards)
    copied = ("step", "error", "message", "result", "observation", "done", "terminal_reason", "duration_ms")
    for event in events:
        if event.kind == ToolCall.kind:
            call = event.data
        elif event.kind == ToolResult.kind and event.data["judged"]:
            reward = next(earned, None)
            yield AccountedStep(
                at_ms=event.at_ms,
                tool=call["tool"],
                arguments=call["arguments"],
                action_id=call["action_id"],
                **{name: event.data[name] for name in copied},
                reward=reward.reward if reward else None,
                detail=reward.detail if reward else {},
            )
