"""What an experiment is: who made the log, what is trained on it, and on what it is judged."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Experiment:
    """One way from a log to a policy, run on several seeds."""

    name: str
    suite: str
    behaviours: Mapping[str, int]
    """The supervisors that make the log, good ones and poor ones, as a team's log would hold; and how many training
    scenarios each plays, the families in turn."""
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
IMITATION = {"batch": 8, "lr": 3e-3, "warmup": 20, "schedule": "cosine", "check_every": 0, "min_entropy": 0.0}
"""Small steps, many of them: a model from scratch begins to read what it is shown only after some hundreds."""

CANARY = Experiment(
    name="canary",
    suite="canary",
    behaviours={
        "cautious": 1_500,
        "threshold-errors-x2-2-by-10": 500,
        "obey-own-alerts": 500,
        "always-increase-10": 500,
        "random-valid": 500,
    },
    tests={"held-out": 160, "stress": 80},
    tiny=SMALL,
    sft=IMITATION | {"steps": 600},
    grpo={
        "steps": 30,
        "batch": 64,
        "group": 8,
        "accumulate": 4,
        "lr": 2e-4,
        "beta": 0.005,
        "leaving_cost": 0.5,
        "max_tokens": 1_600,
        "max_turns": 40,
    },
)
"""Improves a policy that imitates a mixed log, by GRPO on the log's start states, and judges it on held-out worlds."""

GATE = Experiment(
    name="classic-gate",
    suite="classic-gate",
    behaviours={"phase-aware": 160, "rule": 160, "naive": 160, "always-block": 160, "random-valid": 160},
    tests={"heldout": 120},
    tiny=SMALL,
    sft=IMITATION | {"steps": 300},
    grpo={
        "steps": 25,
        "batch": 64,
        "group": 16,
        "accumulate": 4,
        "lr": 2e-4,
        "beta": 0.005,
        "max_tokens": 1_800,
        "max_turns": 24,
    },
)
"""Shows that the loop of several tool calls an episode learns: sampled return must rise."""

ANCHOR = Experiment(
    name="classic-canary",
    suite="classic-canary",
    behaviours={"cautious": 180},
    tests={"heldout": 120},
    tiny=SMALL,
    sft=IMITATION | {"steps": 400},
)
"""A sanity check: imitating an expert's traces must reach what an expert's traces are worth."""

EXPERIMENTS = {experiment.name: experiment for experiment in (CANARY, GATE, ANCHOR)}
