"""Watches a GRPO run step by step: refuses one that cannot learn, and stops one that has collapsed.

A group whose rollouts all earn the same has no advantage and so no gradient; a policy that calls no tool cannot earn
anything at all. Both look like a running job from outside, and both are a bug in the reward, in the data or in the
start model. Collapse is different: there was a policy, and it is being lost.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from training.refusals import TrainingRefused


@dataclass(frozen=True, slots=True)
class Limits:
    """When a run is refused or stopped."""

    patience: int = 3
    """Steps in a row that must show the same fault."""
    min_entropy: float = 0.01
    """Nats a sampled token: below it the policy has stopped to explore."""
    window: int = 5
    """Steps over which the reward is averaged."""
    max_drop: float = 1.5
    """Standard deviations of the reward by which its average may fall below its best."""


@dataclass(slots=True)
class Watch:
    """What has been seen so far."""

    limits: Limits
    faults: dict[str, int] = field(default_factory=dict[str, int])
    rewards: deque[float] = field(default_factory=deque[float])
    best: float | None = None
    stopped: str | None = None
    """Why the run was stopped, or None."""

    def see(self, logs: Mapping[str, Any]) -> str | None:
        """Take in one step's figures and return why the run must stop, or None; raises TrainingRefused."""
        for name, (wrong, message) in _FAULTS.items():
            self.faults[name] = self.faults.get(name, 0) + 1 if wrong(logs) else 0
            if self.faults[name] >= self.limits.patience:
                raise TrainingRefused(f"refused after {self.limits.patience} steps: {message}")
        self.stopped = self._entropy(logs) or self._reward(logs)
        return self.stopped

    def _entropy(self, logs: Mapping[str, Any]) -> str | None:
        low = logs.get("entropy") is not None and logs["entropy"] < self.limits.min_entropy
        self.faults["entropy"] = self.faults.get("entropy", 0) + 1 if low else 0
        if self.faults["entropy"] < self.limits.patience:
            return None
        return f"entropy collapse: {logs['entropy']:.4f} nats a token, under {self.limits.min_entropy}"

    def _reward(self, logs: Mapping[str, Any]) -> str | None:
        if logs.get("reward") is None:
            return None
        self.rewards.append(logs["reward"])
        if len(self.rewards) < self.limits.window:
            return None
        mean = sum(self.rewards) / len(self.rewards)
        self.rewards.popleft()
        self.best = mean if self.best is None else max(self.best, mean)
        fall = self.best - mean
        if fall <= self.limits.max_drop * max(logs.get("reward_std") or 0.0, 1e-6):
            return None
        return f"reward collapse: {mean:.4f} over {self.limits.window} steps, {fall:.4f} below the best"


Logs = Mapping[str, Any]
"""The figures of one step."""
_FAULTS: Mapping[str, tuple[Callable[[Logs], bool], str]] = {
    "no calls": (
        lambda logs: logs.get("tools/call_frequency") == 0,
        "no rollout called a tool, so nothing can be earned: start from a model that samples valid calls (see "
        "training.sft, which stops when it does), and check that its chat template's calls can be read",
    ),
    "constant reward": (
        lambda logs: logs.get("reward_std") == 0,
        "every rollout earned the same reward: the reward does not depend on what the policy does, or the policy "
        "does one thing only; check the reward, raise the temperature, or start from a less finished model",
    ),
    "no spread": (
        lambda logs: logs.get("frac_reward_zero_std") == 1,
        "no group has any spread of reward, so there is no gradient: raise the temperature or the group size, or "
        "choose scenarios on which rollouts differ",
    ),
}
"""By name: whether a step's figures show the fault, and what to say of it."""


class GuardCallback(TrainerCallback):
    """Puts a watch on TRL's log."""

    def __init__(self, limits: Limits) -> None:
        self.watch = Watch(limits)

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Look at the figures of a step; the summary at the end of a run has none."""
        if logs and "reward" in logs and self.watch.see(logs):
            control.should_training_stop = True
