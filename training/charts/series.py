"""What the journals of training runs hold, as curves."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from releaseops_mcp.errors import InvalidArgument
from training.journal import read_metrics


class Curve(NamedTuple):
    """One figure of one run."""

    steps: Any
    """Shape (points,)."""
    values: Any
    """Shape (points,)."""


class Run(NamedTuple):
    """One run's journal."""

    name: str
    lines: list[dict[str, Any]]

    def curve(self, name: str) -> Curve:
        """Return a figure at the steps that have it."""
        points = [(line["step"], line[name]) for line in self.lines if line.get(name) is not None]
        return Curve(np.array([step for step, _ in points]), np.array([value for _, value in points], dtype=float))

    def names(self, prefix: str) -> list[str]:
        """Return the figures whose names begin with a prefix, in order."""
        return sorted({name for line in self.lines for name in line if name.startswith(prefix)})


def read_runs(folders: Sequence[Path]) -> list[Run]:
    """Return the runs in these folders; raises InvalidArgument for a folder without a journal."""
    runs = [Run(folder.name, read_metrics(folder)) for folder in folders]
    for run, folder in zip(runs, folders, strict=True):
        if not run.lines:
            raise InvalidArgument(f"{folder} holds no metrics.jsonl: name the folder of a training run")
    return runs


def shared(runs: Sequence[Run], name: str) -> Curve:
    """Return the mean of a figure over runs, at the steps that all of them have it; empty where there are none."""
    curves = [_points(run.curve(name)) for run in runs]
    steps = sorted(step for step in curves[0] if all(step in curve for curve in curves)) if curves else list[int]()
    return Curve(np.array(steps), np.array([np.mean([curve[step] for curve in curves]) for step in steps]))


def _points(curve: Curve) -> dict[int, float]:
    return {int(step): float(value) for step, value in zip(curve.steps, curve.values, strict=True)}
