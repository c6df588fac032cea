"""Supervised warm start: imitate logged episodes that went well, and stop as soon as sampled calls are valid.

    python -m training.sft --model runs/tiny --data data/sft --out runs/sft

Data: rows of kind `sft` (`releaseops dataset sft`). Only what the assistant says is learnt. The run ends early when
`--valid` of the sampled calls are accepted, or when no entropy is left; `--check_every 0` lets it run to the end.
After a crash, the same command with `--resume True` goes on at the last checkpoint, with the same data order.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.events import Origin
from releaseops_mcp.settings import Settings, open_arena
from training.cards import provenance, run_id
from training.datasets.schemas import tool_schemas
from training.options import option, run
from training.readiness import Aim, ReadyCallback
from training.rendered import tokens_of
from training.rows import Row, read_rows
from training.running import adapter, begin, finish, quiet, start_model, usual_arguments, usual_callbacks
from training.sampling import Sampler
from training.seat import Table
from training.untyped import Dataset, SFTConfig, SFTTrainer


@dataclass
class Config:
    """The arguments of a run."""

    model: str = option("runs/tiny", "folder or hub name of the model to begin with")
    data: str = option("data/sft", "data set of kind sft")
    out: str = option("runs/sft", "folder of the run")
    log: str = option("", "URL of the log that checks are played in; empty for log.sqlite3 in the run's folder")
    steps: int = option(300, "optimizer steps at most")
    batch: int = option(32, "episodes a step, in each process")
    accumulate: int = option(1, "parts that a step's batch is cut into, to fit into memory")
    lr: float = option(2e-3, "learning rate; a pretrained model wants 2e-4 with LoRA, 2e-5 without")
    warmup: int = option(10, "steps until the learning rate is reached")
    schedule: str = option("constant_with_warmup", "what becomes of the learning rate: that, linear, cosine")
    lora_r: int = option(0, "rank of the LoRA adapter; 0 trains all weights")
    max_length: int = option(4096, "tokens; a longer episode is cut at its end")
    seed: int = option(0, "of data order, dropout and sampling")
    save_every: int = option(50, "steps between checkpoints")
    resume: bool = option(False, "go on at the last checkpoint in the run's folder")
    check_every: int = option(20, "steps between looks at sampled episodes; 0 for none")
    check_episodes: int = option(32, "episodes a look")
    valid: float = option(0.9, "share of sampled calls that must be accepted for the run to end")
    temperature: float = option(1.0, "of the sampled episodes")
    max_call_tokens: int = option(128, "tokens of one answer at most, in a look")
    min_entropy: float = option(0.02, "nats a token below which the run is stopped")


def main(config: Config) -> dict[str, Any]:
    """Train and return how it ended; raises TrainingRefused and HeldOut."""
    folder, checkpoint = begin(config)
    data = Path(config.data)
    rows = read_rows(data, ("messages", "suite"))
    facts = provenance(vars(config), [data])
    loaded = start_model(config, folder)
    tokenizer = loaded.tokenizer
    examples = [tokens_of(tokenizer, row["messages"], tool_schemas(suites()[row["suite"]])) for row in rows]

    with closing(open_arena(Settings(database_url=config.log or f"sqlite:///{folder / 'log.sqlite3'}"))) as arena:
        ready = readiness(config, rows, tokenizer, Table(arena, origin(config, facts), "tools", time.perf_counter))
        trainer = SFTTrainer(
            model=loaded.model,
            args=SFTConfig(**usual_arguments(config, folder), max_length=config.max_length),
            train_dataset=Dataset.from_list(examples),
            processing_class=tokenizer,
            peft_config=adapter(config),
            callbacks=[*usual_callbacks(folder), ready],
        )
        ready.trainer = quiet(trainer)
        trainer.train(resume_from_checkpoint=checkpoint)
        looked = ready.look(trainer.model, trainer.state.global_step)

    return finish(trainer, "sft", facts, {"stopped": ready.stopped, **looked})


def readiness(config: Config, rows: Sequence[Row], tokenizer: Any, table: Table) -> ReadyCallback:
    """Return the callback that looks at sampled episodes of the rows' own scenarios."""
    scenarios = list(dict.fromkeys(row["scenario"] for row in rows))

    def sampler(model: Any, step: int) -> Sampler:
        seed = config.seed + 1_000_003 * step
        how: dict[str, Any] = {"temperature": config.temperature, "max_tokens": config.max_call_tokens, "seed": seed}
        return Sampler(model, tokenizer, **how)

    looked_at = [scenarios[index % len(scenarios)] for index in range(config.check_episodes)]
    return ReadyCallback(Aim(config.check_every, config.valid, config.min_entropy), table, looked_at, sampler)


def origin(config: Config, facts: Mapping[str, Any]) -> Origin:
    """Return who plays the episodes that are looked at."""
    return Origin(door="python", agent=f"sft-{run_id(facts)}", model=config.model)


if __name__ == "__main__":
    run(Config, main, __doc__)
