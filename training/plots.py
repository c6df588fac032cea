"""Charts of a training run and of an evaluation, each as SVG and PNG.

releaseops model plot --run runs/grpo --evaluation build/eval --out docs/training
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from releaseops_mcp.errors import InvalidArgument
from training.charts import bars, curves
from training.charts.series import Run, read_runs
from training.charts.style import write
from training.evaluate import read_results
from training.evaluation.results import Evaluation


def plot_all(out: Path, *, runs: Sequence[Path] = (), evaluation: Path | None = None) -> list[Path]:
    """Draw all charts that the runs and the evaluation have figures for, and return the files.

    Several runs are drawn together, as seeds of one training. Raises InvalidArgument for a folder without figures.
    """
    paths = plot_runs(read_runs(runs), out) if runs else []
    if evaluation is not None:
        paths += plot_evaluation(read_results(evaluation), out)
    if not paths:
        raise InvalidArgument("these folders hold no figures to draw")
    return paths


def plot_runs(runs: Sequence[Run], out: Path) -> list[Path]:
    """Draw the curves of training runs."""
    panels = sum(any(len(run.curve(name).steps) for run in runs) for name in curves.PANELS)
    families = len({name for run in runs for name in run.names("family/")})
    drawn: list[Path] = []
    if panels:
        drawn += write(partial(curves.draw_progress, runs=runs), out / "progress", (3.2 * panels, 2.8))
    if families:
        height = 3.0 if families <= curves.MOST_LINES else 1.0 + 0.16 * families
        drawn += write(partial(curves.draw_families, runs=runs), out / "families", (7.0, height))
    if any(run.names("action/") for run in runs):
        drawn += write(partial(curves.draw_actions, runs=runs), out / "actions", (7.0, 3.0))
    if any(run.names("rollout/invalid_rate") for run in runs):
        drawn += write(partial(curves.draw_failures, runs=runs), out / "failures", (5.0, 3.0))
    return drawn


def plot_evaluation(result: Evaluation, out: Path) -> list[Path]:
    """Draw an evaluation's bars and paired differences."""
    return [path for paths in _evaluation_charts(result, out) for path in paths]


def _evaluation_charts(result: Evaluation, out: Path) -> Iterator[list[Path]]:
    for suite, name in dict.fromkeys((column.suite, column.scenario_set) for column in result.columns):
        columns = [column for column in result.columns if (column.suite, column.scenario_set) == (suite, name)]
        yield write(partial(bars.draw_bars, columns=columns), out / f"bars-{suite}-{name}", (7.0, 3.4))
    for each in result.comparisons:
        stem = f"difference-{each.suite}-{each.scenario_set}-{each.before}-{each.after}-t{each.temperature:g}"
        height = 1.2 + 0.22 * len(each.differences)
        yield write(partial(bars.draw_differences, comparison=each), out / stem, (6.5, height))
