"""How every judge and the reference do on each lesson of `canary`: `python -m tests.gates.canary_table [SEEDS]`.

A lesson is a family with its twin. Its column shows mean utility, the regret to the clairvoyant (who rolls back or
promotes at once, whichever is cheaper), and one normalised figure: 0 is the best constant policy of the whole mix, 1
the Bayesian reference. Where even the reference gains less than SEPARABLE over a constant, a lesson is not separable.
Writes build/canary_table.md and build/canary_table.svg.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.episodes.canary.splits import DEV
from tests.gates.canary_policies import CONSTANT, REFERENCE, SUITE, Array, played, pool

FOLDER = Path("build")
SEEDS = 8
SEPARABLE = 0.15
"""Least gain of the reference over the lesson's own best constant policy."""
AT_ONCE = ("always-rollback", "always-increase-25")
"""What the clairvoyant chooses between."""


@dataclass(frozen=True)
class Row:
    """One supervisor on one lesson."""

    lesson: str
    supervisor: str
    utility: float
    regret: float
    normalised: float
    separable: bool


def rows_of(utilities: Mapping[str, Array], lessons: Sequence[str]) -> list[Row]:
    """Return a row for each lesson and supervisor, and for the whole mix.

    `utilities` holds (lessons * episodes of a lesson,) figures by supervisor, lesson by lesson.
    """
    clairvoyant = np.maximum(*(utilities[name] for name in AT_ONCE))
    worst, best = max(utilities[name].mean() for name in CONSTANT), utilities[REFERENCE].mean()
    parts = dict(zip(lessons, np.split(np.arange(clairvoyant.size), len(lessons)), strict=True))
    rows: list[Row] = []
    for lesson, part in {**parts, "all": np.arange(clairvoyant.size)}.items():
        means = {name: float(each[part].mean()) for name, each in utilities.items()}
        separable = means[REFERENCE] - max(means[name] for name in CONSTANT) >= SEPARABLE
        ceiling = float(clairvoyant[part].mean())
        rows += [
            Row(lesson, name, mean, ceiling - mean, float((mean - worst) / (best - worst)), separable)
            for name, mean in means.items()
        ]
    return rows


def markdown(rows: Sequence[Row]) -> str:
    """Return a table: a line a supervisor, best first, a column a lesson; `u / regret / normalised`."""
    lessons = list(dict.fromkeys(row.lesson for row in rows))
    overall = {row.supervisor: row.utility for row in rows if row.lesson == "all"}
    cells = {(row.supervisor, row.lesson): row for row in rows}
    order = sorted(overall, key=lambda name: -overall[name])
    lines = [f"| lesson | {' | '.join(order)} |", f"|---|{'---|' * len(order)}"]
    for lesson in ["all", *lessons[:-1]]:
        some = cells[order[0], lesson]
        title = lesson if some.separable else f"{lesson} (not separable)"
        shown = [cells[name, lesson] for name in order]
        lines.append(f"| {title} | {' | '.join(_cell(row) for row in shown)} |")
    return "\n".join(lines) + "\n"


def _cell(row: Row) -> str:
    return f"{row.utility:.2f} / {row.regret:.2f} / {row.normalised:.2f}"


def plot(rows: Sequence[Row], file: Path) -> None:
    """Draw the normalised figures as a map, lessons by supervisors."""
    import_module("matplotlib").use("svg")
    pyplot: Any = import_module("matplotlib.pyplot")
    lessons = list(dict.fromkeys(row.lesson for row in rows))
    overall = {row.supervisor: row.utility for row in rows if row.lesson == "all"}
    order = sorted(overall, key=lambda name: -overall[name])
    places = {(row.lesson, row.supervisor): row.normalised for row in rows}
    values: NDArray[np.float64] = np.array([[places[lesson, name] for name in order] for lesson in lessons])
    figure, axes = pyplot.subplots(figsize=(2 + 0.4 * len(order), 1.5 + 0.3 * len(lessons)), layout="constrained")
    image = axes.imshow(values, vmin=-1.5, vmax=1.5, cmap="RdBu", aspect="auto")
    axes.set_xticks(range(len(order)), order, rotation=60, ha="right")
    axes.set_yticks(range(len(lessons)), lessons)
    figure.colorbar(image, label="0: best constant policy of the mix, 1: Bayes")
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def main(seeds: int) -> None:
    """Play what judges, and the constant policies, and write the table and the map."""
    names = tuple(each.name for each in supervisors_for(SUITE) if not each.degenerate or each.name in CONSTANT)
    with pool() as workers:
        results = played(workers, names, DEV[:seeds])
    utilities = {name: np.array([one.utility for one in each]) for name, each in results.items()}
    rows = rows_of(utilities, tuple(families_by_id()))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "canary_table.md").write_text(markdown(rows))
    plot(rows, FOLDER / "canary_table.svg")
    print(markdown(rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS)
