"""A run's figures are JSON lines, one a step, also after its process died."""

import json
import math
from types import SimpleNamespace

from training.journal import JournalCallback, read_metrics


def at(step: int, *, first: bool = True) -> SimpleNamespace:
    return SimpleNamespace(global_step=step, is_world_process_zero=first)


def write(journal: JournalCallback, *steps: int) -> None:
    for step in steps:
        journal.on_log(None, at(step), None, {"loss": step / 10, "odd": math.nan})  # type: ignore[arg-type]


def test_a_line_holds_a_steps_figures_and_nan_is_null(tmp_path):
    journal = JournalCallback(tmp_path)
    journal.on_train_begin(None, at(0), None)  # type: ignore[arg-type]
    write(journal, 1, 2)
    assert read_metrics(tmp_path) == [{"step": 1, "loss": 0.1, "odd": None}, {"step": 2, "loss": 0.2, "odd": None}]


def test_a_resumed_run_replaces_the_steps_that_were_lost(tmp_path):
    journal = JournalCallback(tmp_path)
    journal.on_train_begin(None, at(0), None)  # type: ignore[arg-type]
    write(journal, 1, 2, 3)
    journal.on_train_begin(None, at(2), None)  # type: ignore[arg-type]
    write(journal, 3, 4)
    assert [line["step"] for line in read_metrics(tmp_path)] == [1, 2, 3, 4]


def test_the_other_processes_of_a_run_write_nothing(tmp_path):
    # given a run's lines
    journal = JournalCallback(tmp_path)
    write(journal, 1, 2)

    # when another process begins to train, and logs
    journal.on_train_begin(None, at(0, first=False), None)  # type: ignore[arg-type]
    journal.on_log(None, at(3, first=False), None, {"loss": 9.0})  # type: ignore[arg-type]

    # then the lines are as they were
    assert [line["step"] for line in read_metrics(tmp_path)] == [1, 2]


def test_a_line_that_was_cut_short_is_left_out(tmp_path):
    (tmp_path / "metrics.jsonl").write_text(json.dumps({"step": 1}) + '\n{"step": 2, "lo')
    assert read_metrics(tmp_path) == [{"step": 1}]
    assert read_metrics(tmp_path / "elsewhere") == []
