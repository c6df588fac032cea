"""Off-policy rows: the tokens and log-probabilities of episodes that a known policy version sampled.

Only episodes that were captured at level `tokens` and name their policy version, tokenizer and template have any; no
other log may stand behind a ratio. Whether a row is on-policy for a trainer is the trainer's to decide, by version.
"""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from pydantic import Field

from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.log.blobs import Blobs
from training.capture.sequences import read_sequence
from training.conversation import opening
from training.datasets.base import Again, Collector, Kind, Options
from training.datasets.rollout import Rollout
from training.datasets.waiting import WaitingLines

_NAMED = ("policy_version", "tokenizer_hash", "template_hash", "token_ids_sha256", "logprobs_sha256")


class OffPolicyOptions(Options):
    """Which policies' tokens are wanted."""

    tokenizer_hash: str = ""
    """Only tokens of this tokenizer; empty for any."""
    policy: str = ""
    """Only policy versions that begin with this; empty for any."""
    max_tokens: int = Field(default=0, ge=0)
    """Only sequences of at most so many tokens; 0 for any length."""


class Sequence(NamedTuple):
    """One episode's row."""

    line: str


class OffPolicyKind(Kind[OffPolicyOptions, Sequence]):
    """Token sequences."""

    name = "off-policy"
    summary = "Token ids and log-probabilities of known policies, for off-policy training with a ratio."
    options = OffPolicyOptions

    def pick(self, rollout: Rollout, blobs: Blobs | None) -> Iterable[Sequence | str]:
        """Return the episode's tokens, or why there are none."""
        if rollout.capture != "tokens":
            return ["not captured at level tokens"]
        if blobs is None:
            return ["an export holds no tokens: read the database"]
        named = [call for call in rollout.model_calls if all(call.get(name) for name in _NAMED)]
        if not named:
            return ["no known policy version"]
        if len(named) > 1:
            return ["tokens of single answers, not of the whole episode"]
        call = named[0]
        if self.chosen.tokenizer_hash not in ("", call["tokenizer_hash"]):
            return ["another tokenizer"]
        if not call["policy_version"].startswith(self.chosen.policy):
            return ["another policy"]
        try:
            sequence = read_sequence(blobs, call["token_ids_sha256"], call["logprobs_sha256"])
        except ChainBroken:
            return ["its tokens are not in this log, or were altered"]
        if self.chosen.max_tokens and len(sequence.token_ids) > self.chosen.max_tokens:
            return ["longer than allowed"]
        logprobs = sequence.logprobs.astype(np.float64)
        row = {
            "prompt": opening(rollout.suite, rollout.observation),
            "token_ids": sequence.token_ids.tolist(),
            "logprobs": [None if np.isnan(value) else float(value) for value in logprobs],
            "prompt_tokens": sequence.prompt_tokens,
            "reward": rollout.reward,
            "suite": rollout.suite.name,
            "scenario": rollout.scenario,
            "family": rollout.family,
            "episode": rollout.episode,
            "head": rollout.head,
            "model": call["model"],
            **{name: call[name] for name in _NAMED[:3]},
        }
        return [Sequence(json.dumps(row))]

    def collector(self) -> "OffPolicyCollector":
        """Return an empty collector."""
        return OffPolicyCollector()


class OffPolicyCollector(Collector[Sequence]):
    """Hands rows on; the same sequence sampled twice was chosen twice, so nothing is a duplicate."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = WaitingLines()

    def add(self, picked: Sequence) -> None:
        """Take in one row."""
        self._waiting.add(picked.line)

    def rows(self, again: Again) -> Iterator[str]:
        """Yield the rows."""
        yield from self._waiting

    def close(self) -> None:
        """Delete the rows that wait on disk."""
        self._waiting.close()


KIND = OffPolicyKind
