"""A run's folder is its own, and a run goes on only as it began."""

import json
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from training import running
from training.options import option, parse, run
from training.refusals import TrainingRefused
from training.running import begin, last_checkpoint, usual_callbacks


@dataclass
class Config:
    """A script's arguments."""

    out: str = option("runs/x", "where to")
    resume: bool = option(False, "go on")
    steps: int = option(10, "how many")
    lr: float = option(0.1, "how fast")


def checkpoint(folder: Path, step: int, *, whole: bool = True) -> Path:
    made = folder / f"checkpoint-{step}"
    made.mkdir(parents=True)
    if whole:
        (made / "trainer_state.json").write_text("{}")
    return made


def test_arguments_come_from_the_fields_of_a_config(capsys):
    config = parse(Config, ["--lr", "0.5", "--resume", "True"])
    assert (config.lr, config.resume, config.steps) == (0.5, True, 10)
    with pytest.raises(SystemExit):
        parse(Config, ["--help"])
    assert "how fast (default: 0.1)" in capsys.readouterr().out


def test_a_checkpoint_that_was_being_written_is_not_gone_on_from(tmp_path):
    assert last_checkpoint(tmp_path) is None
    checkpoint(tmp_path, 9)
    newest = checkpoint(tmp_path, 10)
    checkpoint(tmp_path, 11, whole=False)
    assert last_checkpoint(tmp_path) == newest


def test_a_folder_with_another_run_is_left_alone(tmp_path):
    begin(Config(out=str(tmp_path)))
    checkpoint(tmp_path, 5)
    with pytest.raises(TrainingRefused, match="holds a run already: go on with it by --resume True"):
        begin(Config(out=str(tmp_path)))


def test_a_run_goes_on_at_its_checkpoint_also_for_more_steps(tmp_path):
    begin(Config(out=str(tmp_path)))
    there = checkpoint(tmp_path, 5)
    folder, found = begin(Config(out=str(tmp_path), resume=True, steps=20))
    assert (folder, found) == (tmp_path, str(there))
    assert json.loads((tmp_path / "arguments.json").read_text())["steps"] == 20


def test_a_run_does_not_go_on_under_another_config(tmp_path):
    begin(Config(out=str(tmp_path)))
    checkpoint(tmp_path, 5)
    with pytest.raises(TrainingRefused, match="this run began with another lr"):
        begin(Config(out=str(tmp_path), resume=True, lr=0.2))
    assert json.loads((tmp_path / "arguments.json").read_text())["lr"] == 0.1


def test_a_run_that_died_before_its_first_checkpoint_begins_anew(tmp_path):
    begin(Config(out=str(tmp_path)))
    assert begin(Config(out=str(tmp_path), resume=True, lr=0.2)) == (tmp_path, None)


def test_only_the_main_process_writes_a_runs_folder(tmp_path, monkeypatch):
    # given another process of the same run
    other = SimpleNamespace(is_main_process=False, main_process_first=nullcontext)
    monkeypatch.setattr(running, "processes", lambda: other)

    # when it begins
    assert begin(Config(out=str(tmp_path))) == (tmp_path, None)

    # then it keeps no figures, and the folder is as it was
    assert usual_callbacks(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_what_a_script_refuses_is_one_line_and_a_status(monkeypatch, capsys):
    def refuse(config: Config) -> None:
        raise TrainingRefused(f"{config.steps} steps teach nothing")

    monkeypatch.setattr("sys.argv", ["script", "--steps", "0"])
    with pytest.raises(SystemExit) as left:
        run(Config, refuse, "About.")
    assert left.value.code == 2
    assert capsys.readouterr().err == "invalid_argument: 0 steps teach nothing\n"
    run(Config, lambda config: {"steps": config.steps}, None)
    assert '"steps": 0' in capsys.readouterr().out
