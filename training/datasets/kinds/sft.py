"""Rows for supervised fine-tuning: whole episodes that went well, as messages."""

import json
from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from pydantic import Field

from releaseops_mcp.log.blobs import Blobs
from training.datasets.base import Again, Collector, Kind, Options
from training.datasets.duplicates import Marks, Seen, mark, near_mark
from training.datasets.rollout import Rollout
from training.datasets.waiting import WaitingLines


class SftOptions(Options):
    """Which episodes went well enough."""

    min_reward: float | None = None
    """Only episodes that earned at least this."""
    best_share: float = Field(default=1.0, gt=0, le=1)
    """Only this share of each family's episodes, the best ones: 0.25 keeps those from the upper quartile on."""
    max_invalid: int = Field(default=0, ge=0)
    """Only episodes with at most so many refused calls: every call in a row is learnt."""
    text: bool = True
    """Whether what an agent wrote beside its calls is learnt too, where its side was logged."""


class Candidate(NamedTuple):
    """An episode that may become a row."""

    marks: Marks
    group: str
    """Suite and family."""
    reward: float
    line: str
    """Empty where this process has handed the same episode over before: it is a duplicate."""


class SftKind(Kind[SftOptions, Candidate]):
    """Reward-filtered episodes."""

    name = "sft"
    summary = "Reward-filtered episodes as messages, for supervised fine-tuning."
    options = SftOptions

    def __init__(self, chosen: SftOptions) -> None:
        super().__init__(chosen)
        self._handed_over: dict[int, int] = {}

    def pick(self, rollout: Rollout, blobs: Blobs | None) -> Iterable[Candidate | str]:
        """Return the episode, or why it is left out."""
        least = self.chosen.min_reward
        if not rollout.moves:
            return ["no call was made"]
        if rollout.invalid > self.chosen.max_invalid:
            return ["too many refused calls"]
        if least is not None and rollout.reward < least:
            return ["reward below the least"]
        group, exact = f"{rollout.suite.name}/{rollout.family}", mark(rollout.trace)
        if exact in self._handed_over:
            return [Candidate(Marks(exact, self._handed_over[exact]), group, rollout.reward, "")]
        messages = rollout.messages()
        if not self.chosen.text:
            messages = [
                message | {"content": ""} if message["role"] == "assistant" else message for message in messages
            ]
        row = {
            "messages": messages,
            "suite": rollout.suite.name,
            "scenario": rollout.scenario,
            "family": rollout.family,
            "reward": rollout.reward,
            "agent": rollout.agent,
            "model": rollout.model,
            "capture": rollout.capture,
            "episode": rollout.episode,
            "head": rollout.head,
        }
        near = self._handed_over[exact] = near_mark(rollout.suite, messages)
        return [Candidate(Marks(exact, near), group, rollout.reward, json.dumps(row))]

    def collector(self) -> "SftCollector":
        """Return an empty collector."""
        return SftCollector(self.chosen.best_share)


class SftCollector(Collector[Candidate]):
    """Drops duplicates as they come; the best of each family are known once all are in, so lines wait on disk."""

    def __init__(self, best_share: float) -> None:
        super().__init__()
        self._share = best_share
        self._seen = Seen()
        self._waiting = WaitingLines()
        self._groups: dict[str, int] = {}
        self._rewards: list[array[float]] = []
        self._order = array("L")

    def add(self, picked: Candidate) -> None:
        """Take in one episode."""
        group = self._groups.setdefault(picked.group, len(self._groups))
        if group == len(self._rewards):
            self._rewards.append(array("d"))
        if self._seen.is_new(picked.marks):
            self._rewards[group].append(picked.reward)
            self._order.append(group)
            self._waiting.add(picked.line)
        self.left_out["duplicate"] = self._seen.duplicates
        self.left_out["near-duplicate"] = self._seen.near_duplicates

    def rows(self, again: Again) -> Iterator[str]:
        """Yield the lines of the episodes that are among the best of their family."""
        bars = [float(np.quantile(rewards, 1 - self._share)) if rewards else 0.0 for rewards in self._rewards]
        rewards = [iter(each) for each in self._rewards]
        for group, line in zip(self._order, self._waiting, strict=True):
            if next(rewards[group]) >= bars[group]:
                yield line
            else:
                self.left_out["not among the best of its family"] += 1

    def close(self) -> None:
        """Delete the lines."""
        self._waiting.close()


KIND = SftKind
