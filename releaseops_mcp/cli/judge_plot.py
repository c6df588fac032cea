"""Draws a comparison and what a judge made of it: the arms' series, and how the evidence moved."""

import math

# matplotlib's own annotations leave **kwargs open:
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from releaseops_mcp.canary.judges import Comparison, Finding, Outcome, Series, Verdict
from releaseops_mcp.errors import InvalidArgument

MOST_METRICS = 8
"""Metrics that are drawn; those that decided come first."""
COLOURS: Mapping[Outcome, str] = {"pass": "#2e7d32", "fail": "#c62828", "inconclusive": "#b26a00"}
ARM_COLOURS = {"canary": "#c2410c", "baseline": "#2563eb", "stable": "#94a3b8"}
INK, PALE = "#1f2937", "#e5e7eb"
UNITS = ((7_200.0, 60.0, "minutes"), (172_800.0, 3_600.0, "hours"), (math.inf, 86_400.0, "days"))
"""Up to which span in seconds, seconds a unit, its name."""
FEW_POINTS = 40
"""Up to which each point is marked."""
WIDTH, ROW, HEAD = 11.0, 2.3, 0.9
"""Inches."""
KINDS = (".svg", ".png")
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "releaseops",
    "font.size": 9,
    "lines.linewidth": 1.3,
    "axes.edgecolor": "#9ca3af",
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": "#4b5563",
    "ytick.color": "#4b5563",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw(comparison: Comparison, verdict: Verdict, path: Path) -> None:
    """Write a picture to `path`, whose ending says the kind; raises InvalidArgument for another than .svg or .png."""
    if path.suffix.lower() not in KINDS:
        raise InvalidArgument(f"--plot {path}: the name must end in {' or '.join(KINDS)}")
    shown = _shown(verdict)
    traced = any(finding.trace is not None for finding in shown)
    metrics = {series.metric: series for series in comparison.series}
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, HEAD + ROW * len(shown)), layout="constrained")
        panels = figure.subplots(
            len(shown), 2 if traced else 1, squeeze=False, sharex=True, width_ratios=(3, 2) if traced else None
        )
        times, unit = _times(comparison)
        for row, finding in zip(panels, shown, strict=True):
            _draw_series(row[0], metrics[finding.metric], finding, times)
            if traced:
                _draw_trace(row[1], finding, times)
        for column in panels.T:
            last = [panel for panel in column if panel.axison][-1]
            last.set_xlabel(unit)
            last.tick_params(labelbottom=True)
        panels[0][0].legend(loc="upper left", ncols=3, frameon=False, fontsize=8, bbox_to_anchor=(0.0, 1.0))
        figure.suptitle(_title(verdict), x=0.01, ha="left", fontsize=11, color=COLOURS[verdict.outcome], weight="bold")
        figure.savefig(path, dpi=140, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _shown(verdict: Verdict) -> Sequence[Finding]:
    decisive = set(verdict.metrics)
    return sorted(verdict.findings, key=lambda finding: finding.metric not in decisive)[:MOST_METRICS]


def _title(verdict: Verdict) -> str:
    left = len(verdict.findings) - MOST_METRICS
    more = f" ({left} metrics not drawn)" if left > 0 else ""
    sentence = verdict.sentence if len(verdict.sentence) <= 110 else verdict.sentence[:107] + "..."
    return f"{verdict.judge}: {sentence}{more}"


def _times(comparison: Comparison) -> tuple[Sequence[float], str]:
    if not comparison.times:
        return range(comparison.buckets), "bucket"
    elapsed = [time - comparison.times[0] for time in comparison.times]
    seconds, name = next((seconds, name) for most, seconds, name in UNITS if elapsed[-1] <= most)
    return [time / seconds for time in elapsed], f"{name} since the first bucket"


def _draw_series(panel: Axes, series: Series, finding: Finding, times: Sequence[float]) -> None:
    arms = {"stable": series.stable, "baseline": series.baseline, "canary": series.canary}
    for name, arm in arms.items():
        if arm is not None:
            width = 1.6 if name == "canary" else 1.1
            marker = "o" if len(times) <= FEW_POINTS else ""
            panel.plot(times, arm.values, color=ARM_COLOURS[name], lw=width, label=name, marker=marker, ms=2.5)
    panel.set_title(series.metric, loc="left", fontsize=10, weight="bold")
    panel.set_title(finding.outcome, loc="right", fontsize=9, color=COLOURS[finding.outcome], weight="bold")
    panel.grid(axis="y", color=PALE, lw=0.7)
    panel.set_axisbelow(True)
    panel.margins(y=0.22)
    if panel.dataLim.ymin >= 0.0 and panel.get_ylim()[0] < 0.0:
        panel.set_ylim(bottom=0.0)


def _draw_trace(panel: Axes, finding: Finding, times: Sequence[float]) -> None:
    if finding.trace is None:
        panel.axis("off")
        panel.text(0.0, 0.5, f"{finding.metric} {finding.reason}", transform=panel.transAxes, color="#4b5563")
        return
    bound, values = finding.trace.bound, finding.trace.values
    for each, style, ink in ((bound, "--", INK), (values, "-", COLOURS[finding.outcome])):
        at = [place for place, value in enumerate(each) if math.isfinite(value)]
        marker = "o" if len(at) <= FEW_POINTS and style == "-" else ""
        panel.plot([times[place] for place in at], [each[place] for place in at], style, color=ink, marker=marker, ms=3)
    panel.set_title(finding.trace.label, loc="left", fontsize=9)
    panel.set_title("- - bound", loc="right", fontsize=8, color="#4b5563")
    panel.grid(axis="y", color=PALE, lw=0.7)
    panel.margins(y=0.15)
