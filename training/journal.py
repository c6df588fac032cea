"""The figures of a run as JSON lines, one a step, beside what TensorBoard shows.

Where several processes train, the first one writes. A resumed run takes up the file where its checkpoint stands: lines
of steps that were lost with the process are cut, and written again by the steps that replace them.
"""

import json
import math
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

NAME = "metrics.jsonl"


class JournalCallback(TrainerCallback):
    """Writes every log of a trainer; `None` stands for a figure that a step does not have."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Keep the lines up to the step that the run begins at."""
        if not state.is_world_process_zero:
            return
        kept = [line for line in read_metrics(self._path.parent) if line["step"] <= state.global_step]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text("".join(map(_line, kept)), encoding="utf-8")

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Append one line."""
        if not state.is_world_process_zero:
            return
        figures = {name: _finite(value) for name, value in (logs or {}).items()}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line({"step": state.global_step} | figures))


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """Return a run's lines in order; a line that was cut short by the death of the process is left out."""
    path = folder / NAME
    if not path.is_file():
        return []
    whole = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
    return [json.loads(line) for line in whole]


def _line(figures: dict[str, Any]) -> str:
    return json.dumps(figures, sort_keys=True) + "\n"


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
