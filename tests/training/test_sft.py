"""The warm start: from a log to a model that samples valid calls, also across the death of its process."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from transformers import AutoTokenizer

from tests.training import arms
from training import sft
from training.journal import read_metrics
from training.models.loading import load_model
from training.refusals import TrainingRefused
from training.rendered import IGNORED, batches, padded, tokens_of
from training.running import last_checkpoint
from training.splits import HeldOut

pytestmark = [
    pytest.mark.usefixtures("installed"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # TRL asks transformers for names that it has replaced
]
LOSS = ("step", "loss", "grad_norm", "entropy")
KILLED = """
import sys
from pathlib import Path
from pytest import MonkeyPatch
from tests.training import arms
from training import sft

arms.install(MonkeyPatch())
sft.main(sft.Config(**eval(sys.argv[1])))
"""


def losses(folder: Path) -> list[tuple]:
    """Return what each step saw and did: the same figures mean the same data and the same weights."""
    return [tuple(line[name] for name in LOSS) for line in read_metrics(folder) if "loss" in line]


def test_a_warm_start_stops_as_soon_as_sampled_calls_are_valid(bench):
    outcome = json.loads((Path(bench.warm) / "run.json").read_text())["outcome"]
    assert outcome["check/valid_rate"] >= 0.9
    assert outcome["steps"] < 60
    assert "of sampled calls are valid" in outcome["stopped"]


def test_and_leaves_something_to_explore(bench):
    loaded = load_model(bench.warm)
    chances = [arms.chance_of(loaded, arm) for arm in arms.ARMS]
    assert sum(chances) > 0.8
    assert min(chances) > 0.3


def test_a_run_leaves_all_that_it_takes_to_make_it_again(bench):
    folder = Path(bench.warm)
    facts = json.loads((folder / "run.json").read_text())
    assert facts["config"]["seed"] == 0
    assert {"torch", "trl", "transformers"} <= facts["packages"].keys()
    assert list(facts["data"]) == [bench.data("sft")]
    assert len(facts["commit"].partition("+")[0]) in (0, 40)
    card = (folder / "README.md").read_text()
    assert "python -m training.sft --model" in card
    assert list((folder / "tensorboard").iterdir())


def test_only_what_the_assistant_says_is_learnt(bench):
    tokenizer = AutoTokenizer.from_pretrained(bench.warm)
    call = {"type": "function", "function": {"name": "pull", "arguments": {"arm": "left"}}}
    messages = [
        {"role": "user", "content": "hidden"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "name": "pull", "content": "hidden too"},
        {"role": "assistant", "content": ""},
    ]
    made = tokens_of(tokenizer, messages, [])
    learnt = tokenizer.decode([token for token in made["labels"] if token != IGNORED])
    assert learnt == '<tool_call>{"name": "pull", "arguments": {"arm": "left"}}</tool_call><|im_end|><|im_end|>'


def test_a_template_that_marks_nothing_is_refused(bench):
    tokenizer = AutoTokenizer.from_pretrained(bench.warm)
    tokenizer.chat_template = "{% for m in messages %}{% generation %}{% endgeneration %}{{ m.content }}{% endfor %}"
    with pytest.raises(TrainingRefused, match="marks no token as the assistant's"):
        tokens_of(tokenizer, [{"role": "user", "content": "x"}], [])


def test_batches_go_on_without_end_in_an_order_of_their_seed():
    examples = [{"input_ids": [number] * number, "labels": [number] * number} for number in range(1, 6)]
    assert padded(examples[:2], 0)["input_ids"].tolist() == [[1, 0], [2, 2]]
    assert padded(examples[:2], 0)["labels"].tolist() == [[1, IGNORED], [2, 2]]
    assert padded(examples[:2], 0)["attention_mask"].tolist() == [[1, 0], [1, 1]]
    streams = [batches(examples, 2, 0, seed) for seed in (1, 1, 2)]
    drawn = [[next(stream)["labels"].max().item() for _ in range(9)] for stream in streams]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_leaked_held_out_scenario_stops_the_run(bench, tmp_path):
    rows = Path(bench.data("sft"), "rows.jsonl").read_text()
    (tmp_path / "rows.jsonl").write_text(rows.replace("arms/bandit/seed-0", "arms/bandit/seed-105"))
    config = bench.warm_start(tmp_path / "run", data=str(tmp_path / "rows.jsonl"))
    with pytest.raises(HeldOut, match=r"arms/bandit/seed-105 is held out \(test of arms\)"):
        sft.main(config)


def test_rows_that_are_not_what_their_card_says_are_refused(bench, tmp_path):
    for name in ("rows.jsonl", "card.json"):
        (tmp_path / name).write_bytes(Path(bench.data("sft"), name).read_bytes())
    with (tmp_path / "rows.jsonl").open("a") as file:
        file.write("\n")
    with pytest.raises(TrainingRefused, match="is not what its card speaks of"):
        sft.main(bench.warm_start(tmp_path / "run", data=str(tmp_path)))


def test_rows_of_another_kind_are_refused(bench, tmp_path):
    with pytest.raises(TrainingRefused, match="has no messages: it is a data set of another kind"):
        sft.main(bench.warm_start(tmp_path / "run", data=bench.data("starts")))


def test_an_adapter_is_trained_saved_and_loaded(bench, tmp_path):
    outcome = sft.main(bench.warm_start(tmp_path / "run", steps=2, check_every=0, lora_r=4))
    assert outcome["steps"] == 2
    assert (tmp_path / "run" / "adapter_config.json").is_file()
    assert load_model(str(tmp_path / "run")).base == bench.untrained


@pytest.mark.slow
def test_a_killed_run_goes_on_at_its_checkpoint_with_the_same_data(bench, tmp_path):
    # given a run whose process is killed
    killed = bench.warm_start(tmp_path / "killed", steps=100_000, check_every=0, save_every=2)
    environment = os.environ | {"PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-W", "ignore", "-c", KILLED, repr(vars(killed))]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while last_checkpoint(Path(killed.out)) is None:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    steps = int(last_checkpoint(Path(killed.out)).name.partition("-")[2]) + 3

    # when it is resumed, and another one goes through without a break
    sft.main(bench.warm_start(tmp_path / "killed", steps=steps, check_every=0, save_every=2, resume=True))
    sft.main(bench.warm_start(tmp_path / "whole", steps=steps, check_every=0, save_every=1_000))

    # then every step saw and did the same
    assert losses(tmp_path / "killed") == losses(tmp_path / "whole")
    assert len(losses(tmp_path / "whole")) == steps
