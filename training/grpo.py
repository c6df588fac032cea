"""GRPO in the arena, from logged start states: on-policy, mixed with imitation, or off-policy on logged groups.

    python -m training.grpo --model runs/sft --data data/starts --out runs/grpo
    python -m training.grpo --mode mixed --logged data/sft --mix 0.1 ...
    python -m training.grpo --mode off-policy --data data/off-policy ...

Modes, and what each may be fed:

    on-policy    rows of kind `starts`: the policy plays their scenarios anew; every rollout is scored by the reward
                 module and logged with its tokens
    mixed        the same, and a share `--mix` of the loss imitates logged episodes (kind `sft`): biased on purpose, for
                 a policy that earns next to nothing on its own
    off-policy   rows of kind `off-policy`: logged groups with the probabilities that they were sampled with; rows
                 without them, or of another tokenizer or template, are refused

A run in which no tool is called, or whose rewards have no spread, is refused; one whose entropy or reward collapses is
stopped. After a crash, the same command with `--resume True` goes on at the last checkpoint.
"""

import json
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.registry import suite_of, suites
from releaseops_mcp.events import Origin
from releaseops_mcp.settings import Settings, open_arena
from training.capture.policy import PolicyName, policy_name
from training.cards import provenance, run_id
from training.conversation import opening
from training.datasets.schemas import tool_schemas
from training.environments import environment_factory
from training.guards import GuardCallback, Limits
from training.options import option, run
from training.refusals import TrainingRefused
from training.rendered import batches, tokens_of
from training.replay import replay_of
from training.rows import read_rows
from training.running import adapter, begin, finish, quiet, start_model, usual_arguments, usual_callbacks
from training.seat import Table
from training.trainers import MixedTrainer, ReplayTrainer, RolloutTrainer
from training.untyped import Dataset, GRPOConfig


@dataclass
class Config:
    """The arguments of a run."""

    model: str = option("runs/sft", "folder or hub name of the model to begin with; it must sample valid calls")
    data: str = option("data/starts", "data set of kind starts, or off-policy")
    out: str = option("runs/grpo", "folder of the run")
    log: str = option("", "URL of the log that rollouts are written to; empty for log.sqlite3 in the run's folder")
    mode: Literal["on-policy", "mixed", "off-policy"] = option("on-policy", "what is trained on, see above")
    logged: str = option("", "mixed: data set of kind sft")
    mix: float = option(0.1, "mixed: share of imitation in the loss")
    steps: int = option(100, "optimizer steps at most")
    batch: int = option(64, "rollouts a step, in each process")
    group: int = option(16, "rollouts of one scenario, which are compared")
    accumulate: int = option(1, "parts that a step's batch is cut into, to fit into memory")
    lr: float = option(2e-4, "learning rate; 1e-3 collapsed a tiny model, a pretrained one wants 1e-5")
    warmup: int = option(0, "steps until the learning rate is reached")
    schedule: str = option("constant_with_warmup", "what becomes of the learning rate: that, linear, cosine")
    lora_r: int = option(0, "rank of the LoRA adapter; 0 trains all weights")
    beta: float = option(0.001, "weight of the KL divergence from the start model; 0 spares its forward pass")
    loss: str = option("dapo", "TRL's loss_type: grpo, dr_grpo, dapo, bnpo, cispo and others")
    epsilon_high: float = option(0.28, "upper clip of the ratio; the lower one is 0.2")
    delta: float = option(4.0, "off-policy: the ratio is cut there on both sides of the advantage")
    scale: str = option("group", "what advantages are divided by: the spread of the group, the batch, or none")
    temperature: float = option(1.0, "of sampling")
    leaving_cost: float = option(0.0, "taken off, in training alone, where a rollout ends in an answer without a call")
    max_tokens: int = option(2048, "tokens of an episode behind its prompt: answers and tools' results")
    max_turns: int = option(40, "rounds of tool calls in an episode")
    seed: int = option(0, "of data order, dropout and sampling")
    save_every: int = option(25, "steps between checkpoints")
    resume: bool = option(False, "go on at the last checkpoint in the run's folder")
    patience: int = option(3, "steps in a row that must show a fault for the run to be refused or stopped")
    min_entropy: float = option(0.01, "nats a sampled token below which the run is stopped")
    max_drop: float = option(1.5, "standard deviations that the mean reward may fall below its best")
    trl: str = option("{}", "further fields of TRL's GRPOConfig as JSON, such as those of vLLM")


def main(config: Config) -> dict[str, Any]:
    """Train and return how it ended; raises TrainingRefused and HeldOut."""
    folder, checkpoint = begin(config)
    sources = [Path(path) for path in (config.data, config.logged) if path]
    facts = provenance(vars(config), sources)
    loaded = start_model(config, folder)
    policy = policy_name(config.model, run_id(facts), loaded.tokenizer)
    guard = GuardCallback(Limits(config.patience, config.min_entropy, max_drop=config.max_drop))

    usual: dict[str, Any] = {
        "model": loaded.model,
        "processing_class": loaded.tokenizer,
        "args": grpo_config(config, folder),
        "peft_config": adapter(config),
        "callbacks": [*usual_callbacks(folder), guard],
    }
    build = {"on-policy": on_policy, "mixed": mixed, "off-policy": off_policy}[config.mode]
    with closing(open_arena(Settings(database_url=config.log or f"sqlite:///{folder / 'log.sqlite3'}"))) as arena:
        trainer = quiet(build(config, usual, arena, policy))
        trainer.train(resume_from_checkpoint=checkpoint)

    version = policy.at(trainer.state.global_step)
    figures = {"stopped": guard.watch.stopped or "all steps made", "policy_version": version}
    return finish(trainer, "grpo", facts, figures)


def on_policy(config: Config, usual: dict[str, Any], arena: Arena, policy: PolicyName) -> Any:
    """Return the trainer whose policy plays the rows' scenarios in the arena."""
    return RolloutTrainer(**usual, **playing(config, arena, policy), arena=arena, policy=policy)


def mixed(config: Config, usual: dict[str, Any], arena: Arena, policy: PolicyName) -> Any:
    """Return the trainer that also imitates logged episodes."""
    if not config.logged or not 0 < config.mix < 1:
        raise TrainingRefused("mode mixed needs --logged, a data set of kind sft, and --mix between 0 and 1")
    tokenizer = usual["processing_class"]
    rows = read_rows(Path(config.logged), ("messages", "suite"))
    examples = [tokens_of(tokenizer, row["messages"], tool_schemas(suites()[row["suite"]])) for row in rows]
    size = max(1, config.batch // config.accumulate // 4)
    logged = batches(examples, size, tokenizer.pad_token_id, config.seed)
    played = playing(config, arena, policy)
    return MixedTrainer(**usual, **played, arena=arena, policy=policy, logged=logged, mix=config.mix)


def off_policy(config: Config, usual: dict[str, Any], arena: Arena, policy: PolicyName) -> Any:
    """Return the trainer that learns from logged groups alone."""
    del arena  # nothing is played
    rows = read_rows(Path(config.data), ("token_ids", "logprobs", "reward"))
    replay = replay_of(rows, policy, config.group)
    return ReplayTrainer(**usual, train_dataset=Dataset.from_list(replay.prompts()), replay=replay)


def playing(config: Config, arena: Arena, policy: PolicyName) -> dict[str, Any]:
    """Return start rows, and the environments that play them."""
    rows = read_rows(Path(config.data), ("environment",))
    names = sorted({row["environment"] for row in rows})
    starts = [
        {
            "prompt": opening(suite_of(row["scenario"]), None),
            "environment": row["environment"],
            "scenario": row["scenario"],
        }
        for row in rows
    ]
    origin = Origin(door="python", agent=f"grpo-{policy.run}", model=config.model)
    table = Table(arena, origin, "tokens", time.perf_counter, config.leaving_cost)
    return {"train_dataset": Dataset.from_list(starts), "environment_factory": environment_factory(table, names)}


def grpo_config(config: Config, folder: Path) -> Any:
    """Return TRL's config."""
    own = {
        "num_generations": config.group,
        "beta": config.beta,
        "loss_type": config.loss,
        "epsilon_high": config.epsilon_high,
        "delta": config.delta if config.mode == "off-policy" else None,
        "scale_rewards": config.scale,
        "temperature": config.temperature,
        "top_k": 0,
        "max_completion_length": config.max_tokens,
        "max_tool_calling_iterations": config.max_turns,
    }
    return GRPOConfig(**usual_arguments(config, folder) | own | json.loads(config.trl))


if __name__ == "__main__":
    run(Config, main, __doc__)
