"""GRPO in the arena: it learns the better arm, refuses what cannot teach, and logs the tokens that it sampled."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from releaseops_mcp.audit.verify import verify
from releaseops_mcp.log.engine import open_database
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.store import Store
from tests.training import arms
from training import grpo
from training.capture.sequences import read_sequence
from training.dataset import Order, Source, build
from training.journal import read_metrics
from training.models.loading import load_model
from training.refusals import TrainingRefused
from training.splits import HeldOut

pytestmark = [
    pytest.mark.usefixtures("installed"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # TRL asks transformers for names that it has replaced
]


def config(bench, out: Path, **changed) -> grpo.Config:
    where = {"model": bench.warm, "data": bench.data("starts"), "out": str(out)}
    usual = {"steps": 6, "batch": 16, "group": 16, "lr": 1e-3, "beta": 0.0, "save_every": 1_000}
    return grpo.Config(**where | usual | {"max_tokens": 48, "max_turns": 2} | changed)


def better_arm(folder: str) -> float:
    return arms.chance_of(load_model(folder), "right")


def preference(folder: str) -> float:
    """Return how probable the better arm is, of the two."""
    left, right = (arms.chance_of(load_model(folder), arm) for arm in arms.ARMS)
    return right / (left + right)


def rows_of(path: str) -> list[dict]:
    return [json.loads(line) for line in Path(path, "rows.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def trained(bench, tmp_path_factory) -> Path:
    """A short run, made once."""
    folder = tmp_path_factory.mktemp("grpo") / "run"
    with pytest.MonkeyPatch.context() as patch:
        arms.install(patch)
        grpo.main(config(bench, folder, steps=3, beta=0.01))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_the_better_arm_becomes_more_likely_with_every_seed(bench, tmp_path, seed):
    before = better_arm(bench.warm)
    grpo.main(config(bench, tmp_path / "run", seed=seed))
    assert better_arm(str(tmp_path / "run")) > before + 0.05


def test_a_run_leaves_its_figures_and_its_card(trained):
    lines = [line for line in read_metrics(trained) if "reward" in line]
    assert [line["step"] for line in lines] == [1, 2, 3]
    wanted = ("entropy", "kl", "clip_ratio/region_mean", "completions/mean_length", "tools/failure_frequency")
    ours = ("rollout/parse_rate", "rollout/invalid_rate", "family/arms/bandit", "component/arms/arm")
    assert all(line[name] is not None for line in lines for name in (*wanted, *ours))
    assert all("action/pull.right" in line or "action/pull.left" in line for line in lines)
    assert json.loads((trained / "run.json").read_text())["outcome"]["steps"] == 3
    assert "grpo" in (trained / "README.md").read_text()


def test_rollouts_are_in_the_log_with_the_tokens_that_were_sampled(bench, trained):
    # given a run's log
    store = Store(open_database(f"sqlite:///{trained / 'log.sqlite3'}"))
    episodes = list(DatabaseLog(store).episodes())
    assert len(episodes) == 3 * 16
    assert verify(DatabaseLog(store)).episodes == 48

    # when the first step's tokens are read
    calls = [episode.events[-1].data for episode in episodes]
    assert {call["policy_version"].partition("@")[2] for call in calls} == {"0", "1", "2"}
    first = [call for call in calls if call["policy_version"].endswith("@0")]
    warm = load_model(bench.warm)
    for call in first[:4]:
        sequence = read_sequence(store.blobs, call["token_ids_sha256"], call["logprobs_sha256"])

        # then their log-probabilities are those of the model that the run began with
        with torch.no_grad():
            logits = warm.model(input_ids=torch.tensor(sequence.token_ids[None].astype(np.int64))).logits[0, :-1]
        chances = torch.log_softmax(logits, -1)[torch.arange(len(logits)), torch.tensor(sequence.token_ids[1:]).long()]
        sampled = sequence.sampled[1:]
        assert np.allclose(chances.numpy()[sampled], sequence.logprobs[1:][sampled], atol=0.02)
        text = warm.tokenizer.decode(sequence.token_ids[1:][sampled])
        assert text.startswith('<tool_call>{"name": "pull"')
    store.close()


def test_a_constant_reward_is_refused(bench, tmp_path, monkeypatch):
    arms.install(monkeypatch, broken=True)
    rows = [row | {"scenario": f"arms/bandit/seed-{index}"} for index, row in enumerate(rows_of(bench.data("starts")))]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(TrainingRefused, match="refused after 2 steps: every rollout earned the same reward"):
        grpo.main(config(bench, tmp_path / "run", data=str(tmp_path / "rows.jsonl"), patience=2, temperature=0.2))


def test_a_model_that_calls_nothing_is_refused(bench, tmp_path):
    with pytest.raises(TrainingRefused, match="no rollout called a tool"):
        grpo.main(config(bench, tmp_path / "run", model=bench.untrained, patience=1, max_tokens=8))


def test_a_leaked_held_out_scenario_stops_the_run(bench, tmp_path):
    rows = [row | {"scenario": "arms/bandit/seed-100"} for row in rows_of(bench.data("starts"))]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(HeldOut, match="arms/bandit/seed-100 is held out"):
        grpo.main(config(bench, tmp_path / "run", data=str(tmp_path / "rows.jsonl")))


def test_a_resumed_run_samples_and_learns_what_it_would_have(bench, trained, tmp_path):
    grpo.main(config(bench, tmp_path / "run", steps=2, beta=0.01, save_every=2))
    grpo.main(config(bench, tmp_path / "run", steps=3, beta=0.01, save_every=2, resume=True))
    names = ("step", "reward", "entropy", "loss", "completions/mean_length")
    figures = [
        [tuple(line[name] for name in names) for line in read_metrics(folder) if "reward" in line]
        for folder in (trained, tmp_path / "run")
    ]
    assert figures[0] == figures[1]


def test_mixed_training_imitates_logged_episodes_beside_its_own(bench, tmp_path):
    with pytest.raises(TrainingRefused, match="mode mixed needs --logged"):
        grpo.main(config(bench, tmp_path / "refused", mode="mixed"))
    grpo.main(config(bench, tmp_path / "run", steps=2, mode="mixed", logged=bench.data("sft"), mix=0.3))
    lines = [line for line in read_metrics(tmp_path / "run") if "reward" in line]
    assert all(line["mix/imitation_loss"] > 0 for line in lines)


def test_a_logged_run_is_learnt_from_off_policy(bench, trained, tmp_path):
    # given the off-policy rows of a run's own log
    source = Source(url=f"sqlite:///{trained / 'log.sqlite3'}")
    build([source], Order(kind="off-policy"), tmp_path / "rows")
    rows = rows_of(str(tmp_path / "rows"))
    assert len(rows) == 48

    # when a policy with the same tokenizer and template learns from them
    before = preference(bench.warm)
    off = config(bench, tmp_path / "run", mode="off-policy", data=str(tmp_path / "rows"), group=4, steps=6)
    grpo.main(off)

    # then it prefers the better arm more clearly, with nothing played
    assert preference(off.out) > before + 0.05
    lines = [line for line in read_metrics(Path(off.out)) if "reward" in line]
    assert all("rollout/calls" not in line for line in lines)


def test_rows_of_another_tokenizer_are_refused_off_policy(bench, trained, tmp_path):
    build([Source(url=f"sqlite:///{trained / 'log.sqlite3'}")], Order(kind="off-policy"), tmp_path / "rows")
    rows = [row | {"tokenizer_hash": "0" * 64} for row in rows_of(str(tmp_path / "rows"))]
    (tmp_path / "other.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    off = config(bench, tmp_path / "run", mode="off-policy", data=str(tmp_path / "other.jsonl"), group=4)
    with pytest.raises(TrainingRefused, match="was sampled under another tokenizer"):
        grpo.main(off)


def test_an_adapter_on_an_adapter_keeps_the_weights_below_it(bench, tmp_path):
    grpo.main(config(bench, tmp_path / "one", steps=1, lora_r=4))
    grpo.main(config(bench, tmp_path / "two", steps=1, lora_r=4, model=str(tmp_path / "one")))
    assert load_model(str(tmp_path / "two")).base == str(tmp_path / "two" / "base")
