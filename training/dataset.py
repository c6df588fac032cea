"""Datasets from logs: the one import for trainers.

card = build([Source(url="sqlite:///log.sqlite3")], Order(kind="sft"), Path("data/sft"))
rows = load_rows(Path("data/sft"))      # a `datasets.Dataset` with the columns that TRL reads
"""

from pathlib import Path
from typing import TYPE_CHECKING

from training.datasets.building import build
from training.datasets.card import Card, read_card
from training.datasets.picking import Order
from training.datasets.source import Source

if TYPE_CHECKING:
    from datasets import Dataset  # pyright: ignore[reportMissingTypeStubs]

__all__ = ["Card", "Order", "Source", "build", "load_rows", "read_card"]


def load_rows(folder: Path) -> "Dataset":
    """Return a dataset's rows (see `datasets.loading`); raises InvalidArgument and ChainBroken."""
    # Building needs none of it, and each of its processes would import it.
    from training.datasets.loading import load_rows

    return load_rows(folder)
