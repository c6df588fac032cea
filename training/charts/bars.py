"""Before and after: each policy's mean return with its interval, and the paired difference in each family."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from training.charts.style import INK, MUTED, PALETTE
from training.evaluation.results import Column, Comparison

LINES = {"reference": ("--", PALETTE[2]), "clairvoyant": (":", INK)}
"""Line style and colour of what stands beside the bars; of the degenerate only the best is shown."""


def draw_bars(figure: Figure, columns: Sequence[Column]) -> None:
    """Draw the trained policies of one set of scenarios as bars, what stands beside them as lines."""
    axes: Any = figure.subplots()
    trained = [column for column in columns if column.role == "trained" and column.mean is not None]
    policies = list(dict.fromkeys(column.policy for column in trained))
    temperatures = sorted({column.temperature or 0.0 for column in trained})
    width = 0.8 / len(temperatures)
    for index, temperature in enumerate(temperatures):
        found = {column.policy: column for column in trained if (column.temperature or 0.0) == temperature}
        places = [policies.index(policy) + (index - (len(temperatures) - 1) / 2) * width for policy in found]
        label = "greedy" if temperature == 0 else f"sampled at {temperature:g}"
        _bars(axes, places, list(found.values()), width * 0.9, PALETTE[index], label)
    _lines(axes, columns)
    axes.axhline(0, color=MUTED, linewidth=0.8)
    axes.set_xticks(range(len(policies)), policies)
    axes.grid(visible=False, axis="x")
    axes.set_ylabel("mean return, 95 % interval")
    axes.set_title(f"{trained[0].suite}, {trained[0].scenario_set}: {trained[0].rows[0].scenarios} scenarios")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)


def draw_differences(figure: Figure, comparison: Comparison) -> None:
    """Draw how much better the later policy is in each family, with the interval of the paired difference."""
    found = [each for each in comparison.differences if each.difference is not None]
    found = [found[0], *sorted(found[1:], key=lambda each: each.difference or 0.0, reverse=True)]
    axes: Any = figure.subplots()
    for place, each in enumerate(found):
        colour = {"better": PALETTE[2], "worse": PALETTE[1]}.get(each.finding, MUTED)
        if each.ci95 is not None:
            axes.plot(each.ci95, [place, place], color=colour, linewidth=2, solid_capstyle="butt")
        axes.plot(each.difference, place, marker="D" if place == 0 else "o", color=colour, markersize=6)
    axes.axvline(0, color=MUTED, linewidth=0.8)
    axes.axhline(0.5, color=MUTED, linewidth=0.5)
    axes.set_yticks(range(len(found)), [f"{each.family} ({each.scenarios})" for each in found], fontsize=8)
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlabel(f"return of {comparison.after} less that of {comparison.before}, 95 % interval")
    how = "greedy" if comparison.temperature == 0 else f"sampled at {comparison.temperature:g}"
    axes.set_title(f"{comparison.suite}, {comparison.scenario_set}, {how}")


def _bars(axes: Any, places: list[float], columns: list[Column], width: float, colour: str, label: str) -> None:
    means = [column.mean or 0.0 for column in columns]
    axes.bar(places, means, width, color=colour, alpha=0.85, label=label, linewidth=0)
    for place, mean, column in zip(places, means, columns, strict=True):
        interval = column.rows[0].ci95
        if interval is not None:
            axes.plot([place, place], interval, color=INK, linewidth=1.2)
        top = max(mean, interval[1] if interval else mean, 0.0)
        axes.annotate(f"{mean:.3f}", (place, top), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=8)


def _lines(axes: Any, columns: Sequence[Column]) -> None:
    for column in columns:
        if column.role in LINES and column.mean is not None:
            style, colour = LINES[column.role]
            axes.axhline(column.mean, linestyle=style, color=colour, label=f"{column.policy} {column.mean:.3f}")
    dull = [column for column in columns if column.role == "degenerate" and column.mean is not None]
    if dull:
        best = max(dull, key=lambda column: column.mean or 0.0)
        axes.axhline(best.mean, linestyle="-.", color=MUTED, label=f"{best.policy} {best.mean:.3f} (best degenerate)")
