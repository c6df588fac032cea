"""Stops a warm start in time: as soon as sampled calls are valid, and before there is nothing left to explore.

A policy whose calls cannot be read earns nothing, so GRPO cannot begin; one that was fitted to the end repeats one
action, and GRPO finds nothing to choose from. Both are read off sampled episodes, not off the loss.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from training.playing import play, valid_rate
from training.sampling import Sampler
from training.seat import Seat, Table


@dataclass(frozen=True, slots=True)
class Aim:
    """When a warm start is over."""

    every: int
    """Steps between looks; 0 for none."""
    valid: float
    """Share of sampled answers that are accepted calls."""
    min_entropy: float
    """Nats a token of the training data, under the policy: below it the run is stopped as saturated."""


class ReadyCallback(TrainerCallback):
    """Plays sampled episodes every few steps and stops the run when it has reached its aim."""

    def __init__(
        self, aim: Aim, table: Table, scenarios: Sequence[str], sampler: Callable[[Any, int], Sampler]
    ) -> None:
        self.aim = aim
        self.stopped = "all steps made"
        self.trainer: Any = None
        self._table = table
        self._scenarios = scenarios
        self._sampler = sampler

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Look, and stop the run where it is over."""
        if not self.aim.every or state.global_step % self.aim.every:
            return
        figures = self.look(kwargs["model"], state.global_step)
        self.trainer.log(dict(figures))
        if figures["check/valid_rate"] >= self.aim.valid:
            self.stopped = f"{figures['check/valid_rate']:.0%} of sampled calls are valid"
            control.should_training_stop = True

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Stop a run that is certain of everything."""
        entropy = (logs or {}).get("entropy")
        if entropy is not None and entropy < self.aim.min_entropy:
            self.stopped = f"saturated: {entropy:.4f} nats a token are left, under {self.aim.min_entropy}"
            control.should_training_stop = True

    def look(self, model: Any, step: int) -> dict[str, float]:
        """Return what sampled episodes come to."""
        games = play(self._sampler(model, step), [Seat.at(self._table, scenario) for scenario in self._scenarios])
        totals = [game.seat.score.total for game in games if game.seat.score is not None]
        return {"check/valid_rate": valid_rate(games), "check/return": fmean(totals)}
