"""What an experiment is: who made the log, what is trained on it, and on what it is judged."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Experiment:
    """One way from a log to a policy, run on several seeds."""

    name: str
    suite: str
    behaviours: tuple[str, ...]
    """The supervisors that make the log: good ones and poor ones, as a team's log would hold."""
    log_scenarios: int
    """Training scenarios that each of them plays, the families in turn."""
    tests: Mapping[str, int]
    """Held-out scenarios that policies are judged on at most: a split's name, or `heldout` for any."""
    sft: Mapping[str, Any]
    """Arguments of training.sft."""
    grpo: Mapping[str, Any] | None = None
    """Arguments of training.grpo; None where the warm start is all."""
    tiny: Mapping[str, int] = field(default_factory=dict[str, int])
    """Sizes of the model that is built on the spot."""
    sft_options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Options of the data set of kind sft, such as `min_reward`."""
    repeats: int = 1
    """Plays of a test scenario at sampling temperature."""


SMALL = {"hidden": 128, "layers": 3, "vocabulary": 768}

CANARY = Experiment(
    name="canary",
    suite="canary",
    behaviours=(
        "cautious",
        "threshold-errors-x2-2-by-10",
        "threshold-tail-x2-2-by-10",
        "obey-own-alerts",
        "random-valid",
        "always-increase-10",
    ),
    log_scenarios=400,
    tests={"held-out": 160, "stress": 80},
    tiny=SMALL,
    sft={"steps": 120, "batch": 16, "accumulate": 2, "lr": 3e-3, "check_every": 30, "valid": 0.97},
    grpo={
        "steps": 50,
        "batch": 64,
        "group": 16,
        "accumulate": 4,
        "lr": 4e-4,
        "beta": 0.0,
        "max_tokens": 1_400,
        "max_turns": 30,
    },
)
"""Improves a policy that imitates a mixed log, by GRPO on the log's start states, and judges it on held-out worlds."""

GATE = Experiment(
    name="classic-gate",
    suite="classic-gate",
    behaviours=("phase-aware", "rule", "naive", "always-block", "random-valid"),
    log_scenarios=160,
    tests={"heldout": 120},
    tiny=SMALL,
    sft={"steps": 120, "batch": 16, "accumulate": 2, "lr": 3e-3, "check_every": 30, "valid": 0.97},
    grpo={
        "steps": 30,
        "batch": 64,
        "group": 16,
        "accumulate": 4,
        "lr": 4e-4,
        "beta": 0.0,
        "max_tokens": 1_800,
        "max_turns": 24,
    },
)
"""Shows that the loop of several tool calls an episode learns: sampled return must rise."""

ANCHOR = Experiment(
    name="classic-canary",
    suite="classic-canary",
    behaviours=("cautious",),
    log_scenarios=180,
    tests={"heldout": 120},
    tiny=SMALL,
    sft={"steps": 250, "batch": 16, "accumulate": 2, "lr": 3e-3, "check_every": 0},
)
"""A sanity check: imitating an expert's traces must reach what an expert's traces are worth."""

EXPERIMENTS = {experiment.name: experiment for experiment in (CANARY, GATE, ANCHOR)}
