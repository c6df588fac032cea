"""Preference training (DPO) on decisions: the same state, two calls, and a gap in what became of them.

    python -m training.preference --model runs/sft --data data/preferences --out runs/dpo

Data: rows of kind `preferences` (`releaseops dataset preferences`). Sound for logs of any agent, whatever tokenizer it
had and with no probability known: both calls stand behind the very same messages. Nothing is explored, so the policy
can only choose among what was logged; `--min_gap` leaves out pairs that are close to a tie. Watch `logps/chosen`: DPO
may lower the chosen call as long as it lowers the rejected one more; `--sft_weight` holds it up.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from releaseops_mcp.episodes.registry import suites
from training.cards import provenance
from training.datasets.schemas import tool_schemas
from training.options import option, run
from training.refusals import TrainingRefused
from training.rendered import text_of
from training.rows import Row, read_rows
from training.running import adapter, begin, finish, quiet, start_model, usual_arguments, usual_callbacks
from training.untyped import Dataset, DPOConfig, DPOTrainer


@dataclass
class Config:
    """The arguments of a run."""

    model: str = option("runs/sft", "folder or hub name of the model to begin with")
    data: str = option("data/preferences", "data set of kind preferences")
    out: str = option("runs/dpo", "folder of the run")
    steps: int = option(100, "optimizer steps")
    batch: int = option(16, "pairs a step, in each process")
    accumulate: int = option(1, "parts that a step's batch is cut into, to fit into memory")
    lr: float = option(1e-4, "learning rate; a pretrained model wants 1e-5 with LoRA, 1e-6 without")
    warmup: int = option(10, "steps until the learning rate is reached")
    schedule: str = option("constant_with_warmup", "what becomes of the learning rate: that, linear, cosine")
    lora_r: int = option(0, "rank of the LoRA adapter; 0 trains all weights")
    beta: float = option(0.1, "how strongly the start model is held to")
    sft_weight: float = option(0.2, "weight of the chosen call's own likelihood beside the preference")
    min_gap: float = option(0.0, "pairs whose values differ by less are left out")
    max_length: int = option(4096, "tokens; a longer conversation is cut at its end")
    seed: int = option(0, "of data order and dropout")
    save_every: int = option(50, "steps between checkpoints")
    resume: bool = option(False, "go on at the last checkpoint in the run's folder")


def main(config: Config) -> dict[str, Any]:
    """Train and return how it ended; raises TrainingRefused and HeldOut."""
    folder, checkpoint = begin(config)
    data = Path(config.data)
    rows = [row for row in read_rows(data, ("chosen", "rejected", "gap")) if row["gap"] >= config.min_gap]
    if not rows:
        raise TrainingRefused(f"no pair of {data} has a gap of {config.min_gap}: lower --min_gap, or log more episodes")
    facts = provenance(vars(config), [data])
    loaded = start_model(config, folder)
    own = {
        "beta": config.beta,
        "loss_type": ["sigmoid", "sft"],
        "loss_weights": [1.0, config.sft_weight],
        "max_length": config.max_length,
    }
    trainer = DPOTrainer(
        model=loaded.model,
        args=DPOConfig(**usual_arguments(config, folder) | own),
        train_dataset=Dataset.from_list([pair(loaded.tokenizer, row) for row in rows]),
        processing_class=loaded.tokenizer,
        peft_config=adapter(config),
        callbacks=usual_callbacks(folder),
    )
    quiet(trainer).train(resume_from_checkpoint=checkpoint)
    last: Row = next(line for line in reversed(trainer.state.log_history) if "rewards/accuracies" in line)
    figures = {name: last.get(name) for name in ("rewards/accuracies", "rewards/margins", "logps/chosen")}
    return finish(trainer, "preference", facts, {"pairs": len(rows), **figures})


def pair(tokenizer: Any, row: Row) -> dict[str, str]:
    """Return a pair as texts: the state, and each call behind it."""
    tools = tool_schemas(suites()[row["suite"]])
    prompt = text_of(tokenizer, row["prompt"], tools, going_on=True)
    texts = {side: text_of(tokenizer, [*row["prompt"], *row[side]], tools) for side in ("chosen", "rejected")}
    for side, text in texts.items():
        if not text.startswith(prompt):
            raise TrainingRefused(
                f"the chat template changes the state before the {side} call: a pair must share it; use a template "
                "that keeps earlier turns as they are"
            )
    return {"prompt": prompt} | {side: text.removeprefix(prompt) for side, text in texts.items()}


if __name__ == "__main__":
    run(Config, main, __doc__)
