"""What the training scripts do alike: where a run lives, how it goes on after its process died, how it ends.

Where several processes train together, the first one writes a run's folder and the others read it after that.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch.utils.tensorboard import SummaryWriter
from transformers import PrinterCallback
from transformers.integrations.integration_utils import TensorBoardCallback

from training.cards import write_card, write_run
from training.journal import JournalCallback
from training.options import ARGUMENTS, said, save_config
from training.refusals import TrainingRefused
from training.untyped import PartialState

CHECKPOINT = "checkpoint-"
COMPLETE = "trainer_state.json"
"""The last file of a checkpoint: one without it was being written when its process died."""
MAY_DIFFER = frozenset({"resume", "steps"})
"""Arguments that a resumed run may have changed."""

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")


def last_checkpoint(folder: Path) -> Path | None:
    """Return the newest whole checkpoint of a run, or None."""
    numbered = {
        int(path.name.removeprefix(CHECKPOINT)): path
        for path in folder.glob(f"{CHECKPOINT}*")
        if (path / COMPLETE).is_file()
    }
    return numbered[max(numbered)] if numbered else None


def processes() -> Any:
    """Return what accelerate knows of the processes that train together; one alone is the main one."""
    return PartialState(cpu=not torch.cuda.is_available())


def begin(config: Any) -> tuple[Path, str | None]:
    """Return a run's folder and the checkpoint that it goes on from; raises TrainingRefused.

    A folder that holds another run is left alone, and a run goes on only under the config that it began with.
    """
    with processes().main_process_first():
        return _begun(config)


def _begun(config: Any) -> tuple[Path, str | None]:
    folder = Path(config.out)
    known = folder / ARGUMENTS
    checkpoint = last_checkpoint(folder)
    if checkpoint is not None and not config.resume:
        raise TrainingRefused(f"{folder} holds a run already: go on with it by --resume True, or name another --out")
    before = json.loads(known.read_text(encoding="utf-8")) if known.is_file() and config.resume else None
    now = said(config)
    changed = sorted(name for name in now if before is not None and before.get(name) != now[name])
    if checkpoint is not None and set(changed) - MAY_DIFFER:
        raise TrainingRefused(f"this run began with another {', '.join(changed)}: resume it as it was, or begin anew")
    if processes().is_main_process:
        save_config(config, folder)
    return folder, str(checkpoint) if checkpoint else None


def usual_arguments(config: Any, folder: Path) -> dict[str, Any]:
    """Return what every TRL config gets: figures at every step, few checkpoints, and what the machine can do."""
    gpu = torch.cuda.is_available()
    return {
        "output_dir": str(folder),
        "learning_rate": config.lr,
        "lr_scheduler_type": config.schedule,
        "warmup_steps": config.warmup,
        "max_steps": config.steps,
        "per_device_train_batch_size": config.batch // config.accumulate,
        "gradient_accumulation_steps": config.accumulate,
        "save_steps": config.save_every,
        "save_total_limit": 2,
        "logging_steps": 1,
        "seed": config.seed,
        "data_seed": config.seed,
        "bf16": gpu,
        "use_cpu": not gpu,
        "activation_checkpointing": gpu and config.lora_r > 0,
        "report_to": "none",
        "disable_tqdm": True,
        "dataloader_pin_memory": gpu,
    }


def quiet(trainer: Any) -> Any:
    """Return a trainer that leaves its figures to the callbacks, and does not print each step's forty as well."""
    trainer.remove_callback(PrinterCallback)
    return trainer


def usual_callbacks(folder: Path) -> list[Any]:
    """Return the callbacks that keep a run's figures, JSON lines and TensorBoard; none but in the main process."""
    if not processes().is_main_process:
        return []
    return [JournalCallback(folder), TensorBoardCallback(SummaryWriter(str(folder / "tensorboard")))]


def adapter(config: Any) -> Any:
    """Return the LoRA config that a run asks for, or None for full training."""
    if not config.lora_r:
        return None
    from peft import LoraConfig  # only adapters need it

    return LoraConfig(r=config.lora_r, lora_alpha=2 * config.lora_r, target_modules="all-linear", task_type="CAUSAL_LM")


def start_model(config: Any, folder: Path) -> Any:
    """Return the model that a run begins with.

    An adapter is merged. Where the run trains another adapter on top, the merged weights are kept in `base`, since an
    adapter is worth nothing without the weights below it.
    """
    from training.models.loading import load_model

    loaded = load_model(config.model)
    if config.lora_r and loaded.base != loaded.name:
        base = folder / "base"
        with processes().main_process_first():
            if processes().is_main_process:
                loaded.model.save_pretrained(base)
                loaded.tokenizer.save_pretrained(base)
        loaded.model.config._name_or_path = loaded.model.name_or_path = str(base)
    return loaded


def finish(trainer: Any, method: str, facts: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    """Save what was trained, with its tokenizer, `run.json` and model card, and return how it ended."""
    folder = Path(trainer.args.output_dir)
    trainer.save_model(str(folder))
    seconds = sum(line.get("train_runtime") or 0.0 for line in trainer.state.log_history)
    outcome = {"steps": trainer.state.global_step, "seconds": round(seconds, 1), **figures}
    if processes().is_main_process:
        write_run(folder, facts, outcome)
        write_card(folder, method, facts, outcome)
    return outcome
