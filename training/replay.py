"""Logged rollouts for off-policy training: which may be used, and how TRL gets to see them.

A ratio of two policies means something only for tokens that both cut alike and whose probability is known. So a row
needs token capture, a known policy version, and the very tokenizer and template of the policy that is trained; rows of
any other kind are refused, and never taken for on-policy.

Row: `scenario`, `reward`, `token_ids` and `logprobs` (of one length; NaN or null where a token was given, not sampled),
`policy_version`, `tokenizer_hash`, `template_hash`.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from training.capture.policy import PolicyName
from training.refusals import TrainingRefused
from training.splits import trainable

Row = Mapping[str, Any]


@dataclass(slots=True)
class Replay:
    """Groups of logged rollouts, by a key that stands in for the prompt."""

    groups: dict[str, list[Row]]
    """Each of the same size: all of them start from one scenario."""
    _turn: dict[str, int] = field(default_factory=dict[str, int])

    def prompts(self) -> list[dict[str, str]]:
        """Return the data set that TRL iterates over: it repeats each key once for every member."""
        return [{"prompt": key} for key in self.groups]

    def rollouts(self, prompts: Sequence[str], trainer: Any) -> dict[str, list[Any]]:
        """Return the next member of each named group, as TRL's `rollout_func` has to."""
        del trainer
        rows = [self._next(key) for key in prompts]
        starts = [_prompt_tokens(row) for row in rows]
        chances = [_chances(row)[start:] for row, start in zip(rows, starts, strict=True)]
        return {
            "prompt_ids": [list(row["token_ids"][:start]) for row, start in zip(rows, starts, strict=True)],
            "completion_ids": [list(row["token_ids"][start:]) for row, start in zip(rows, starts, strict=True)],
            "logprobs": chances,
            "env_mask": [[int(not math.isnan(chance)) for chance in row] for row in chances],
            "logged_rewards": [float(row["reward"]) for row in rows],
        }

    def _next(self, key: str) -> Row:
        members = self.groups[key]
        turn = self._turn.get(key, 0)
        self._turn[key] = turn + 1
        return members[turn % len(members)]


def replay_of(rows: Sequence[Row], policy: PolicyName, group: int) -> Replay:
    """Return the groups of `group` rollouts each that the rows make; raises TrainingRefused and HeldOut.

    Rows that do not fill a group, and groups that all earned the same, are left out.
    """
    by_scenario: defaultdict[str, list[Row]] = defaultdict(list)
    for number, row in enumerate(rows, 1):
        refuse_unfit(row, policy, number)
        by_scenario[trainable(str(row["scenario"])).id].append(row)
    groups: dict[str, list[Row]] = {}
    for scenario, found in by_scenario.items():
        for start in range(0, len(found) - group + 1, group):
            members = found[start : start + group]
            if len({member["reward"] for member in members}) > 1:
                groups[f"{scenario}#{start // group}"] = members
    if not groups:
        raise TrainingRefused(
            f"no scenario has {group} logged rollouts that earned different rewards: log more rollouts a scenario, or "
            "make the groups smaller"
        )
    return Replay(groups)


def refuse_unfit(row: Row, policy: PolicyName, number: int) -> None:
    """Raise TrainingRefused where a row's probabilities mean nothing to a policy."""
    missing = [name for name in ("token_ids", "logprobs", "policy_version") if not row.get(name)]
    if missing:
        raise TrainingRefused(
            f"off-policy row {number} ({row.get('scenario')}) has no {', '.join(missing)}: only rollouts of capture "
            "level `tokens` with a known policy version have a ratio; use the others for SFT or for preferences"
        )
    if len(row["token_ids"]) != len(row["logprobs"]):
        raise TrainingRefused(f"off-policy row {number} has not one log-probability a token: build the data set again")
    for name in ("tokenizer_hash", "template_hash"):
        if row.get(name) != getattr(policy, name):
            raise TrainingRefused(
                f"off-policy row {number} was sampled under another {name.removesuffix('_hash')} "
                f"({str(row.get(name))[:12]}, not {getattr(policy, name)[:12]}): its probabilities mean nothing here"
            )
    if not 0 < _prompt_tokens(row) < len(row["token_ids"]):
        raise TrainingRefused(f"off-policy row {number} holds no prompt before its first sampled token, or no sample")


def _chances(row: Row) -> list[float]:
    return [math.nan if chance is None else float(chance) for chance in row["logprobs"]]


def _prompt_tokens(row: Row) -> int:
    chances = _chances(row)
    return next((index for index, chance in enumerate(chances) if not math.isnan(chance)), len(chances))
