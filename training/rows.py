"""Reads a data set's rows: a file of JSON lines, or a folder with one."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.cards import data_hash
from training.datasets.card import CARD, read_card
from training.refusals import TrainingRefused
from training.splits import trainable

Row = dict[str, Any]


def read_rows(path: Path, needs: Sequence[str]) -> list[Row]:
    """Return the rows of a data set; raises TrainingRefused, and HeldOut where one is of a held-out scenario.

    `needs` names the columns without which the rows are of another kind.
    """
    file = lines_of(path)
    if (file.parent / CARD).is_file() and read_card(file.parent).rows_sha256 != data_hash(file):
        raise TrainingRefused(f"{file} is not what its card speaks of: build the data set again")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    if not rows:
        raise TrainingRefused(f"{path} holds no rows: its card says what was left out, and why")
    for number, row in enumerate(rows, 1):
        missing = [name for name in (*needs, "scenario") if name not in row]
        if missing:
            raise TrainingRefused(
                f"row {number} of {path} has no {', '.join(missing)}: it is a data set of another kind"
            )
        trainable(row["scenario"])
    return rows


def lines_of(path: Path) -> Path:
    """Return the file with the rows of a data set."""
    if path.is_file():
        return path
    found = sorted(path.glob("*.jsonl")) if path.is_dir() else []
    if len(found) != 1:
        raise TrainingRefused(f"{path} is no data set: name a file of JSON lines, or a folder with one")
    return found[0]
