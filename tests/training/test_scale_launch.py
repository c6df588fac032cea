"""A dry run of the launch configs: two processes on a CPU, over gloo."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from releaseops_mcp.log.engine import open_database
from releaseops_mcp.log.store import Store
from tests.training.logged import data_folder, smallest_model
from training import sft
from training.journal import read_metrics
from training.scale.plans import FOLDER

pytestmark = pytest.mark.slow
TIMEOUT_S = 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("launch")
    smallest_model(made / "tiny")
    data_folder(made)
    return made


def launch(module: str, arguments: str) -> None:
    """Start a script in two processes, as `ddp.yaml` does in eight."""
    words = [sys.executable, "-m", "accelerate.commands.launch", "--config_file", str(FOLDER / "accelerate/ddp.yaml")]
    words += ["--num_processes", "2", "--mixed_precision", "no", "--main_process_port", "0", "-m", module]
    words += shlex.split(arguments)
    environment = dict(os.environ, OMP_NUM_THREADS="1", PYTHONWARNINGS="ignore")
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_two_processes_make_the_step_that_one_makes_with_twice_the_batch(folder: Path) -> None:
    # given one process with a batch of four
    alone = sft.Config(
        model=str(folder / "tiny"), data=str(folder / "sft"), out=str(folder / "one"), steps=1, batch=4, check_every=0
    )
    alone.check_episodes, alone.max_call_tokens = 1, 8
    sft.main(alone)

    # when two processes take two episodes each
    usual = f"--model {alone.model} --data {alone.data} --out {folder / 'two'} --steps 1 --batch 2"
    launch("training.sft", f"{usual} --check_every 0 --check_episodes 1 --max_call_tokens 8")

    # then they have seen the same episodes, and found the same loss
    one, two = read_metrics(folder / "one")[0], read_metrics(folder / "two")[0]
    assert two["num_tokens"] == one["num_tokens"]
    assert two["loss"] == pytest.approx(one["loss"], rel=1e-5)

    # and one of them has written what a run leaves
    assert [line["step"] for line in read_metrics(folder / "two")] == [1, 1]
    assert len(list((folder / "two" / "tensorboard").iterdir())) == 1
    assert json.loads((folder / "two" / "run.json").read_text())["outcome"]["steps"] == 1


def test_each_process_plays_its_rollouts_into_one_log(folder: Path) -> None:
    usual = f"--model {folder / 'tiny'} --data {folder / 'starts'} --out {folder / 'grpo'}"

    launch("training.grpo", f"{usual} --steps 1 --batch 2 --group 2 --max_tokens 32 --max_turns 1")

    database = open_database(f"sqlite:///{folder / 'grpo' / 'log.sqlite3'}")
    assert Store(database).started() == 4
    database.close()
    assert (folder / "grpo" / "model.safetensors").is_file()
