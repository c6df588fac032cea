"""How all charts look, and how one is written: the same data give the same bytes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
"""Okabe and Ito's colours, which colour-blind people tell apart."""
MUTED, INK = "#8A8A8A", "#222222"
_MATPLOTLIB: Any = mpl
"""Its types are half unknown."""
_RULES: dict[str, Any] = {
    "axes.edgecolor": MUTED,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "font.size": 9,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "releaseops",
}
Draw = Callable[[Figure], None]


def write(draw: Draw, stem: Path, size: tuple[float, float]) -> list[Path]:
    """Draw a figure of so many inches and write it as `stem.svg` and `stem.png`."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    with _MATPLOTLIB.rc_context(_RULES):
        figure: Any = Figure(figsize=size, layout="constrained")
        draw(figure)
        paths = [stem.with_suffix(".svg"), stem.with_suffix(".png")]
        figure.savefig(paths[0], metadata={"Date": None})
        figure.savefig(paths[1], dpi=160, metadata={"Software": None})
    return paths


def smooth(values: Sequence[float], width: int) -> Any:
    """Return the running mean over about `width` values around each; at both ends there are fewer to go by."""
    sums = np.cumsum(np.concatenate([[0.0], np.asarray(values, dtype=float)]))
    places, half = np.arange(len(values)), width // 2
    starts, ends = np.maximum(0, places - half), np.minimum(len(values), places + half + 1)
    return (sums[ends] - sums[starts]) / (ends - starts)


def width_for(steps: int) -> int:
    """Return over how many steps a curve of so many is smoothed."""
    return max(1, steps // 15)
