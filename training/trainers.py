"""TRL's GRPO trainer with what this project adds: each class edits what `super()` has made, and no more.

RolloutTrainer   on-policy rollouts in the arena, their tokens in the log and their figures among the metrics
MixedTrainer     the same, with a share of the loss from good logged episodes
ReplayTrainer    off-policy: logged sequences with the probabilities that they were sampled with
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# TRL's trainer has no types that could be checked; what is ours here is checked all the same.

import time
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from releaseops_mcp.arena import Arena
from training.capture.policy import PolicyName
from training.capture.recorder import record_sequences
from training.capture.sequences import TokenSequence, sequence_of
from training.replay import Replay
from training.rollout_metrics import rollout_metrics
from training.untyped import GRPOTrainer

Batch = dict[str, Any]


class RolloutTrainer(GRPOTrainer):
    """On-policy GRPO whose environments are those of `training.environments`."""

    def __init__(self, *args: Any, arena: Arena, policy: PolicyName, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arena = arena
        self.policy = policy

    def _generate_and_score_completions(self, inputs: list[Batch]) -> Batch:
        output: Batch = super()._generate_and_score_completions(inputs)
        figures = rollout_metrics([environment.seat for environment in self.environments])
        began = time.perf_counter()
        self._capture(output)
        figures["time/capture_seconds"] = time.perf_counter() - began
        for name, value in figures.items():
            self._metrics["train" if self.model.training else "eval"][name].append(value)
        return output

    def _capture(self, output: Batch) -> None:
        episodes = [environment.seat.episode_id for environment in self.environments]
        sequences = sequences_of(output, self._logprobs(output))
        record_sequences(self.arena, self.policy, self.state.global_step, list(zip(episodes, sequences, strict=True)))

    def _logprobs(self, output: Batch) -> torch.Tensor:
        """Return the completion's log-probabilities, shape (rollouts, tokens), computed where nobody holds them."""
        for held in ("sampling_per_token_logps", "old_per_token_logps"):
            if held in output:
                return output[held]
        ids = torch.cat([output["prompt_ids"], output["completion_ids"]], dim=1)
        mask = torch.cat([output["prompt_mask"], output["completion_mask"]], dim=1)
        with torch.no_grad():
            kept, size = output["completion_ids"].size(1), self.args.per_device_train_batch_size
            logprobs, _, _ = self._get_per_token_logps_and_entropies(self.model, ids, mask, kept, batch_size=size)
        return logprobs


class MixedTrainer(RolloutTrainer):
    """GRPO and imitation in one loss: (1 - mix) GRPO + mix NLL of logged episodes that earned well.

    The imitated episodes need no probabilities, since nothing is claimed about the policy that played them: they are
    never treated as rollouts. Trinity-RFT's MIX (arXiv 2505.17826).
    """

    def __init__(self, *args: Any, logged: Iterator[Batch], mix: float, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logged = logged
        self.mix = mix
        self._caught_up = False

    def compute_loss(
        self, model: Any, inputs: Batch, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the mixed loss."""
        self._catch_up()
        loss = super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        batch = {name: tensor.to(loss.device) for name, tensor in next(self.logged).items()}
        imitation = model(**batch).loss / self.current_gradient_accumulation_steps
        self._metrics["train"]["mix/imitation_loss"].append(float(imitation.detach()))
        return (1 - self.mix) * loss + self.mix * imitation

    def _catch_up(self) -> None:
        """Pass over the batches that were imitated before a run was resumed."""
        if not self._caught_up:
            for _ in range(self.state.global_step * self.args.gradient_accumulation_steps):
                next(self.logged)
            self._caught_up = True


class ReplayTrainer(GRPOTrainer):
    """Off-policy GRPO on logged groups: the ratio's denominator is what the log says, not today's policy."""

    def __init__(self, *args: Any, replay: Replay, **kwargs: Any) -> None:
        super().__init__(*args, rollout_func=replay.rollouts, reward_funcs=[logged_reward], **kwargs)

    def _generate_and_score_completions(self, inputs: list[Batch]) -> Batch:
        output: Batch = super()._generate_and_score_completions(inputs)
        output["old_per_token_logps"] = output["sampling_per_token_logps"].nan_to_num()
        return output


def logged_reward(logged_rewards: Sequence[float], **kwargs: Any) -> list[float]:
    """Return what the log says that each sequence earned."""
    return list(logged_rewards)


def sequences_of(output: Batch, logprobs: torch.Tensor) -> list[TokenSequence]:
    """Return each rollout's tokens, padding taken off; a tool's answer was given, not sampled."""
    found: list[TokenSequence] = []
    sampled = output["completion_mask"] * output.get("tool_mask", 1)
    chances = logprobs.float().masked_fill(sampled == 0, float("nan"))
    for row in range(len(chances)):
        prompt = output["prompt_ids"][row][output["prompt_mask"][row].bool()].tolist()
        kept = output["completion_mask"][row].bool()
        completion, chosen = output["completion_ids"][row][kept].tolist(), chances[row][kept].tolist()
        found.append(sequence_of([*prompt, *completion], [*[float("nan")] * len(prompt), *chosen]))
    return found
