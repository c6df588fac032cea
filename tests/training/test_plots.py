"""Charts: each run and evaluation gets those that it has figures for, as SVG and PNG, the same bytes every time."""

import json
import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from releaseops_mcp.errors import InvalidArgument
from tests.training.test_evaluate import column
from training.charts.series import read_runs, shared
from training.charts.style import smooth
from training.evaluation.comparing import comparisons
from training.evaluation.results import Evaluation
from training.plots import plot_all

FAMILIES = ("big", "small")


def journal(folder, *, steps=12, families=FAMILIES, seed=0):
    """Write a run's journal with every figure that a chart shows."""
    draws = np.random.default_rng(seed)
    folder.mkdir()
    lines = []
    for step in range(1, steps + 1):
        figures = {"reward": draws.normal(), "loss": draws.normal(), "entropy": 1 / step}
        figures |= {f"family/toy/{family}": draws.normal() for family in families}
        figures |= {"action/decide.ship": step / steps, "action/decide.block": 1 - step / steps}
        figures |= {"rollout/invalid_rate": 1 / step, "rollout/parse_rate": 0.9, "tools/failure_frequency": 0.0}
        lines.append(json.dumps({"step": step, **figures}))
    (folder / "metrics.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def evaluation(folder):
    columns = [column(name, [level, level + 0.1] * 8) for name, level in (("base", 0.1), ("sft", 0.4), ("grpo", 0.6))]
    columns += [column("rule", [0.9] * 16, "reference"), column("always", [0.2] * 16, "degenerate")]
    compared = tuple(comparisons(columns))
    result = Evaluation(
        columns=tuple(columns), comparisons=compared, environment_calls=0, seconds=1.0, seed=0, verdict=""
    )
    folder.mkdir()
    (folder / "results.json").write_text(result.model_dump_json())
    return folder


def words(path):
    return {element.text for element in ET.parse(path).iter() if element.text and element.text.strip()}


def test_a_run_gets_its_charts_in_both_forms(tmp_path):
    drawn = plot_all(tmp_path / "out", runs=[journal(tmp_path / "run")])

    stems = {path.stem for path in drawn}
    assert stems == {"progress", "families", "actions", "failures"}
    assert {path.suffix for path in drawn} == {".svg", ".png"}
    assert all(path.stat().st_size > 2_000 for path in drawn)
    assert {"Mean return of a batch", "Loss", "Entropy, nats a token"} <= words(tmp_path / "out" / "progress.svg")
    assert {"decide.ship", "decide.block"} <= words(tmp_path / "out" / "actions.svg")
    assert set(FAMILIES) <= words(tmp_path / "out" / "families.svg")


def test_many_families_become_a_heat_map(tmp_path):
    many = tuple(f"family-{number:02d}" for number in range(20))

    plot_all(tmp_path / "out", runs=[journal(tmp_path / "run", families=many)])

    assert set(many) <= words(tmp_path / "out" / "families.svg")


def test_seeds_are_drawn_together_and_named(tmp_path):
    runs = [journal(tmp_path / f"seed-{seed}", seed=seed) for seed in range(3)]

    plot_all(tmp_path / "out", runs=runs)

    assert {"seed-0", "seed-1", "seed-2"} <= words(tmp_path / "out" / "progress.svg")


def test_an_evaluation_gets_bars_and_paired_differences(tmp_path):
    drawn = plot_all(tmp_path / "out", evaluation=evaluation(tmp_path / "eval"))

    stems = {path.stem for path in drawn}
    assert stems == {
        "bars-arms-test",
        "difference-arms-test-base-sft-t0",
        "difference-arms-test-sft-grpo-t0",
        "difference-arms-test-base-grpo-t0",
    }
    shown = words(tmp_path / "out" / "bars-arms-test.svg")
    assert {"base", "sft", "grpo", "greedy", "rule 0.900", "always 0.200 (best degenerate)"} <= shown
    assert {"0.150", "0.450", "0.650"} <= shown


def test_the_same_figures_make_the_same_bytes(tmp_path):
    run = journal(tmp_path / "run")

    first, second = (plot_all(tmp_path / name, runs=[run]) for name in ("first", "second"))

    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_runs_are_averaged_where_all_have_a_figure(tmp_path):
    runs = read_runs([journal(tmp_path / "long", steps=12), journal(tmp_path / "short", steps=5, seed=1)])

    curve = shared(runs, "reward")

    assert list(curve.steps) == [1, 2, 3, 4, 5]
    values = [run.curve("reward").values[:5] for run in runs]
    assert np.allclose(curve.values, np.mean(values, axis=0))


def test_smoothing_keeps_a_level_and_a_slope():
    assert list(smooth([2.0] * 6, 3)) == [2.0] * 6
    assert smooth([1.0, 2.0, 3.0, 4.0, 5.0], 3)[1:-1] == pytest.approx([2.0, 3.0, 4.0])
    assert math.isclose(smooth([1.0, 5.0], 1)[1], 5.0)


def test_folders_without_figures_are_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="no metrics"):
        plot_all(tmp_path / "out", runs=[tmp_path])
    with pytest.raises(InvalidArgument, match="no figures"):
        plot_all(tmp_path / "out")
