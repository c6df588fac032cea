# /// script
# requires-python = ">=3.11,<3.13"
# dependencies = [
#   "releaseops-arena[train]>=0.1,<0.2",
#   "huggingface-hub>=1,<3",
#   "trl[vllm]>=1.16,<2",
# ]
# ///
"""SFT, GRPO and their evaluation as one job on Hugging Face's machines, from data on the hub to a model on the hub.

    hf jobs uv run --flavor a100-large --timeout 4h --secrets HF_TOKEN training/recipes/hf_job.py \
        --data me/arena-logs --model Qwen/Qwen2.5-1.5B-Instruct --push-to me/arena-supervisor

Data: a data set repository, or a folder, with the folders `sft` and `starts` that `releaseops dataset` made. Before it
costs anything, `--sanity-run` goes through every part with the tiny model and two steps each, on any CPU, and pushes
nothing:

    python -m training.recipes.hf_job --sanity-run --data data --out runs/sanity
"""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import huggingface_hub
import torch

from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.settings import Settings, open_arena
from training import grpo, sft
from training.datasets.card import read_card
from training.evaluate import Plan, evaluate
from training.heldout import held_out_scenarios
from training.models.loading import load_model
from training.models.tiny import TinySize, build_tiny
from training.options import option, parse
from training.refusals import TrainingRefused

PARTS = ("sft", "starts")
"""Folders that the data must have."""
SMALLEST = TinySize(hidden=32, layers=1, heads=2, scenarios=2)
"""What a sanity run trains."""
KEPT = ("README.md", "run.json", "metrics.jsonl")
"""Files of a run that go with a merged adapter."""
LEFT_HERE = ["checkpoint-*", "log.sqlite3*", "tensorboard/*"]
"""What is not pushed: how to go on with the run, and the episodes themselves."""

_hub: Any = huggingface_hub
"""Its types are half unknown."""


@dataclass
class Config:
    """The arguments of the job."""

    data: str = option("", "data set repository, or a folder, with the folders sft and starts")
    model: str = option("Qwen/Qwen2.5-1.5B-Instruct", "folder or hub name of the model to begin with")
    out: str = option("runs/job", "folder of the runs")
    push_to: str = option("", "repository that the result is pushed to; empty to push nothing")
    private: bool = option(True, "whether that repository is made private")
    sft_steps: int = option(100, "steps of the warm start at most")
    grpo_steps: int = option(200, "steps of GRPO at most")
    scenarios: int = option(200, "held-out scenarios of each suite that the results are played on")
    lora_r: int = option(32, "rank of the LoRA adapters; 0 trains all weights")
    vllm: bool = option(True, "sample with vLLM beside the trainer, where there is a GPU")
    seed: int = option(0, "of data order and sampling")
    sanity_run: bool = option(False, "two steps of each part with the tiny model; nothing is pushed")


Push = Callable[[Path, str, bool], str]
"""Pushes a folder to a repository, private or not, and returns its address."""


def main(config: Config, push: Push | None = None) -> dict[str, Any]:
    """Run the job and return how its parts ended; raises TrainingRefused, and HeldOut.

    What would fail at the end is refused at the beginning: a push without a token, and data without its folders.
    """
    if config.push_to and push is None and not token():
        raise TrainingRefused(
            f"nothing can be pushed to {config.push_to} without a token: pass one with --secrets HF_TOKEN, log in with "
            "`hf auth login`, or leave --push-to out"
        )
    data, out = data_folder(config.data), Path(config.out)
    model = str(smallest_model(data, out / "tiny")) if config.sanity_run else config.model
    warm = warm_start(config, model, data, out / "sft")
    trained = reinforced(config, str(out / "sft"), data, out / "grpo")
    outcome: dict[str, Any] = {"sft": sft.main(warm), "grpo": grpo.main(trained), "verdict": judged(config, data, out)}
    if config.push_to and not config.sanity_run:
        outcome["pushed"] = (push or push_folder)(whole(config, out), config.push_to, config.private)
    return outcome


def smallest_model(data: Path, folder: Path) -> Path:
    """Build what a sanity run trains, for the suites that the data is of, and return its folder."""
    return build_tiny(folder, SMALLEST, played=suites_of(data))


def warm_start(config: Config, model: str, data: Path, out: Path) -> sft.Config:
    """Return the arguments of the supervised part."""
    usual: dict[str, Any] = {"model": model, "data": str(data / "sft"), "out": str(out), "seed": config.seed}
    if config.sanity_run:
        return sft.Config(**usual, steps=2, batch=4, check_episodes=1, max_call_tokens=8)
    lr = 2e-4 if config.lora_r else 2e-5
    return sft.Config(**usual, steps=config.sft_steps, accumulate=4, lr=lr, lora_r=config.lora_r)


def reinforced(config: Config, model: str, data: Path, out: Path) -> grpo.Config:
    """Return the arguments of GRPO."""
    usual: dict[str, Any] = {"model": model, "data": str(data / "starts"), "out": str(out), "seed": config.seed}
    if config.sanity_run:
        return grpo.Config(**usual, steps=2, batch=4, group=4, max_tokens=64, max_turns=1)
    lr = 1e-5 if config.lora_r else 1e-6
    colocate = Path(__file__).parent.parent / "scale" / "vllm" / "colocate.json"
    trl = colocate.read_text(encoding="utf-8") if config.vllm and torch.cuda.is_available() else "{}"
    return grpo.Config(
        **usual, steps=config.grpo_steps, batch=128, accumulate=32, lr=lr, lora_r=config.lora_r, beta=0.0, trl=trl
    )


def judged(config: Config, data: Path, out: Path) -> str:
    """Play both results on held-out scenarios, keep the figures beside the last one, and return what they say."""
    most = 1 if config.sanity_run else config.scenarios
    plan = Plan(
        policies={"sft": str(out / "sft"), "grpo": str(out / "grpo")},
        temperatures=(0.0,) if config.sanity_run else (0.0, 1.0),
        sets={f"heldout-{suite.name}": held_out_scenarios(suite, most) for suite in suites_of(data)},
        max_answer=8 if config.sanity_run else 128,
    )
    arena = open_arena(Settings(database_url=f"sqlite:///{out / 'evaluation.sqlite3'}"))
    try:
        return evaluate(plan, arena, out / "grpo" / "evaluation").verdict
    finally:
        arena.close()


def whole(config: Config, out: Path) -> Path:
    """Return the folder that is pushed: an adapter is merged, since the weights below it are on this machine alone."""
    trained, merged = out / "grpo", out / "merged"
    if not config.lora_r:
        return trained
    loaded = load_model(str(trained), dtype=torch.bfloat16)
    loaded.model.save_pretrained(merged)
    loaded.tokenizer.save_pretrained(merged)
    for name in KEPT:
        shutil.copy(trained / name, merged / name)
    shutil.copytree(trained / "evaluation", merged / "evaluation", dirs_exist_ok=True)
    card = merged / "README.md"
    text = card.read_text(encoding="utf-8")
    card.write_text(text.replace("library_name: peft", "library_name: transformers", 1), encoding="utf-8")
    return merged


def suites_of(data: Path) -> tuple[Suite, ...]:
    """Return the suites that the data is of, as its card says."""
    return tuple(suites()[name] for name in read_card(data / "sft").suites)


def data_folder(name: str) -> Path:
    """Return the folder with the data, fetched where it is a repository; raises TrainingRefused."""
    if not name:
        raise TrainingRefused("no data: name a data set repository or a folder with --data")
    folder = Path(name).expanduser()
    if not folder.is_dir():
        if name.count("/") != 1 or name.startswith((".", "/")):
            raise TrainingRefused(f"no folder {name}, and it cannot be a repository's name, which is OWNER/NAME")
        folder = Path(_hub.snapshot_download(name, repo_type="dataset"))
    missing = [part for part in PARTS if not (folder / part).is_dir()]
    if missing:
        raise TrainingRefused(f"{name} lacks {' and '.join(missing)}: make them with `releaseops dataset`")
    return folder


def token() -> str | None:
    """Return the hub's token, from the environment or from a log-in."""
    return os.environ.get("HF_TOKEN") or _hub.get_token()


def push_folder(folder: Path, repository: str, private: bool) -> str:
    """Push a run's result and return its address."""
    api = _hub.HfApi(token=token())
    api.create_repo(repository, private=private, exist_ok=True)
    return str(api.upload_folder(folder_path=folder, repo_id=repository, ignore_patterns=LEFT_HERE))


if __name__ == "__main__":
    print(json.dumps(main(parse(Config, about=__doc__ or "")), indent=2))  # noqa: T201 - the script's answer
