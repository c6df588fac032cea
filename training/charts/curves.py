"""Curves over training: reward, loss, entropy and divergence; failures; what is done; and how each family fares."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from training.charts.series import Run, shared
from training.charts.style import PALETTE, smooth, width_for

PANELS: Mapping[str, str] = MappingProxyType(
    {
        "reward": "Mean return of a batch",
        "loss": "Loss",
        "entropy": "Entropy, nats a token",
        "kl": "KL from the start",
    }
)
"""Figure to title; a figure that no run has gets no panel."""
FAILURES: Mapping[str, str] = MappingProxyType(
    {
        "rollout/invalid_rate": "calls refused",
        "rollout/unread_rate": "answers without a readable call",
        "tools/failure_frequency": "tools that raised",
    }
)
MOST_LINES = 8
"""More families than this become a heat map."""


def draw_progress(figure: Any, runs: Sequence[Run]) -> None:
    """Draw a panel a figure: each run thin, their running mean bold."""
    titles = {name: title for name, title in PANELS.items() if any(len(run.curve(name).steps) for run in runs)}
    panels: Any = figure.subplots(1, len(titles), squeeze=False)
    for axes, (name, title) in zip(panels[0], titles.items(), strict=True):
        for run, colour in zip(runs, _colours(len(runs)), strict=True):
            curve = run.curve(name)
            axes.plot(curve.steps, curve.values, color=colour, alpha=0.35, linewidth=0.8)
            axes.plot(curve.steps, smooth(curve.values, width_for(len(curve.steps))), color=colour, label=run.name)
        axes.set_title(title)
        axes.set_xlabel("step")
    if len(runs) > 1:
        panels[0][0].legend(fontsize=8)


def draw_failures(figure: Any, runs: Sequence[Run]) -> None:
    """Draw the shares of calls that came to nothing, averaged over runs."""
    axes: Any = figure.subplots()
    for (name, label), colour in zip(FAILURES.items(), PALETTE, strict=False):
        curve = shared(runs, name)
        if name == "rollout/unread_rate":
            read = shared(runs, "rollout/parse_rate")
            curve = read._replace(values=1 - read.values)
        if len(curve.steps):
            axes.plot(curve.steps, 100 * curve.values, color=colour, alpha=0.3, linewidth=0.8)
            mean = 100 * smooth(curve.values, width_for(len(curve.steps)))
            axes.plot(curve.steps, mean, color=colour, label=label, clip_on=False)
    axes.set_title("Calls that came to nothing")
    axes.set_xlabel("step")
    axes.set_ylabel("%")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8)


def draw_actions(figure: Any, runs: Sequence[Run]) -> None:
    """Draw what share of the calls each action has, stacked, averaged over runs; rare ones together."""
    names: list[str] = sorted({name for run in runs for name in run.names("action/")})
    steps = [line["step"] for line in runs[0].lines if any(key.startswith("action/") for key in line)]
    shares = np.array([_filled(runs, name, steps) for name in names])
    order = np.argsort(-shares.mean(axis=1))
    kept, rest = order[: len(PALETTE) - 1], order[len(PALETTE) - 1 :]
    layers = [*shares[kept], *([shares[rest].sum(axis=0)] if len(rest) else [])]
    labels = [names[int(index)].removeprefix("action/") for index in list[Any](kept)] + (
        ["others"] if len(rest) else []
    )
    axes: Any = figure.subplots()
    smoothed = [100 * smooth(layer, width_for(len(steps))) for layer in layers]
    axes.stackplot(steps, smoothed, labels=labels, colors=PALETTE[: len(layers)], alpha=0.85, linewidth=0)
    axes.set_title("What the policy does")
    axes.set_xlabel("step")
    axes.set_ylabel("% of calls")
    axes.set_ylim(0, 100)
    axes.margins(x=0)
    handles, texts = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], texts[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)


def draw_families(figure: Any, runs: Sequence[Run]) -> None:
    """Draw the mean return of each family, averaged over runs: lines for a few, a heat map for many."""
    names = sorted({name for run in runs for name in run.names("family/")})
    labels = _short(names)
    axes: Any = figure.subplots()
    axes.set_title("Mean return by family")
    axes.set_xlabel("step")
    if len(names) <= MOST_LINES:
        for name, label, colour in zip(names, labels, PALETTE, strict=False):
            curve = shared(runs, name)
            axes.plot(curve.steps, smooth(curve.values, width_for(len(curve.steps))), color=colour, label=label)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
        return
    steps = sorted({line["step"] for run in runs for line in run.lines if any(k.startswith("family/") for k in line)})
    table = np.array([smooth(_filled(runs, name, steps, carry=True), width_for(len(steps))) for name in names])
    extent = (steps[0] - 0.5, steps[-1] + 0.5, len(names) - 0.5, -0.5)
    shown = axes.imshow(table, aspect="auto", interpolation="nearest", cmap="cividis", extent=extent)
    axes.set_yticks(range(len(names)), labels, fontsize=7)
    axes.grid(visible=False)
    figure.colorbar(shown, ax=axes, label="return", shrink=0.8)


def _filled(runs: Sequence[Run], name: str, steps: Sequence[int], *, carry: bool = False) -> Any:
    """Return a figure at all of these steps, averaged over runs: 0 where it is missing, or its last value."""
    rows: list[list[float]] = []
    for run in runs:
        known = {line["step"]: line[name] for line in run.lines if line.get(name) is not None}
        last = next(iter(known.values()), float("nan")) if carry else 0.0
        row: list[float] = []
        for step in steps:
            last = known.get(step, last if carry else 0.0)
            row.append(last)
        rows.append(row)
    return np.nanmean(np.array(rows), axis=0)


def _short(names: Sequence[str]) -> list[str]:
    """Return family names, with their suite where there are several."""
    parts: list[list[str]] = [name.split("/", 2)[1:] for name in names]
    several = len({suite for suite, _ in parts}) > 1
    return [f"{suite}/{family}" if several else family for suite, family in parts]


def _colours(count: int) -> list[str]:
    return [PALETTE[index % len(PALETTE)] for index in range(count)] if count > 1 else [PALETTE[0]]
