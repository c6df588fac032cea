"""Preference training: the better call of a state becomes more likely than the worse one."""

import json
from pathlib import Path

import pytest

from tests.training import arms
from training import preference
from training.models.loading import load_model
from training.preference import pair
from training.refusals import TrainingRefused
from training.splits import HeldOut

pytestmark = [
    pytest.mark.usefixtures("installed"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # TRL asks transformers for names that it has replaced
]


def config(bench, out: Path, **changed) -> preference.Config:
    where = {"model": bench.warm, "data": bench.data("preferences"), "out": str(out)}
    usual = {"steps": 4, "batch": 1, "lr": 1e-3, "warmup": 0, "save_every": 1_000}
    return preference.Config(**where | usual | changed)


def test_the_better_call_becomes_more_likely(bench, tmp_path):
    before = arms.chance_of(load_model(bench.warm), "right")
    outcome = preference.main(config(bench, tmp_path / "run"))
    loaded = load_model(str(tmp_path / "run"))
    assert arms.chance_of(loaded, "right") > before > 0.3
    assert arms.chance_of(loaded, "left") < 0.5
    assert outcome["pairs"] == 1
    assert json.loads((tmp_path / "run" / "run.json").read_text())["outcome"]["rewards/accuracies"] == 1.0


def test_both_calls_stand_behind_the_very_same_text(bench):
    tokenizer = load_model(bench.warm).tokenizer
    (row,) = [json.loads(line) for line in Path(bench.data("preferences"), "rows.jsonl").read_text().splitlines()]
    made = pair(tokenizer, row)
    assert made["prompt"].endswith("<|im_start|>assistant\n")
    assert made["chosen"] == '<tool_call>{"name": "pull", "arguments": {"arm": "right"}}</tool_call><|im_end|>'
    assert made["rejected"] == made["chosen"].replace("right", "left")


def test_a_template_that_rewrites_the_state_is_refused(bench):
    tokenizer = load_model(bench.warm).tokenizer
    tokenizer.chat_template = "{{ messages | length }}"
    (row,) = [json.loads(line) for line in Path(bench.data("preferences"), "rows.jsonl").read_text().splitlines()]
    with pytest.raises(TrainingRefused, match="changes the state before the chosen call"):
        pair(tokenizer, row)


def test_pairs_close_to_a_tie_are_left_out_and_none_left_is_refused(bench, tmp_path):
    with pytest.raises(TrainingRefused, match=r"no pair of .* has a gap of 2"):
        preference.main(config(bench, tmp_path / "run", min_gap=2.0))


def test_a_leaked_held_out_scenario_stops_the_run(bench, tmp_path):
    text = Path(bench.data("preferences"), "rows.jsonl").read_text()
    rows = [json.loads(line) | {"scenario": "arms/bandit/seed-100"} for line in text.splitlines()]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(HeldOut):
        preference.main(config(bench, tmp_path / "run", data=str(tmp_path / "rows.jsonl")))
