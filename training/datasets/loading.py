"""Hands a built dataset to `datasets`, as TRL's trainers read it.

Messages and tools are of the type Json, so that a call's arguments come back as they went in: an ordinary struct would
give every call the arguments of all others, empty.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, Json, List, Value  # pyright: ignore[reportMissingTypeStubs]

from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import ChainBroken, InvalidArgument
from training.datasets.card import ROWS, Card, read_card
from training.datasets.schemas import tool_schemas

TALKS = ("messages", "prompt", "chosen", "rejected", "tools")
"""Columns that hold lists of JSON objects."""
WITH_TOOLS = ("sft", "preferences")
"""Kinds whose rows get the column `tools`: the same for all rows of a suite, so files of rows leave it out."""
_SCALARS = {bool: "bool", int: "int64", float: "float64", str: "string"}
_ARRAYS = {"token_ids": "int32", "logprobs": "float32"}


def load_rows(folder: Path) -> Dataset:
    """Return a dataset's rows, read from its folder and memory-mapped beside it.

    Raises InvalidArgument where there is no dataset or it has no rows, and ChainBroken where the rows are not those
    that the card speaks of.
    """
    card = read_card(folder)
    first = next(iter_rows(folder, card), None)
    if first is None:
        raise InvalidArgument(f"{folder} has no rows: its card says what was left out ({card.left_out})")
    _prove(folder, card)
    datasets: Any = Dataset
    return datasets.from_generator(
        iter_rows,
        features=features_of(first),
        cache_dir=str(folder / ".arrow"),
        gen_kwargs={"folder": folder, "card": card},
    )


def iter_rows(folder: Path, card: Card) -> Iterator[dict[str, Any]]:
    """Yield a dataset's rows as plain Python objects, with their tools where their kind has them."""
    with (folder / ROWS).open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield row | ({"tools": list(tool_schemas(suites()[row["suite"]]))} if card.kind in WITH_TOOLS else {})


def features_of(row: dict[str, Any]) -> Features:
    """Return the types of a row's columns."""
    return Features({name: _feature(name, value) for name, value in row.items()})


def _feature(name: str, value: Any) -> Any:
    if name in TALKS:
        return List(Json())
    if name in _ARRAYS:
        return List(Value(_ARRAYS[name]))
    return Value(_SCALARS[type(value)])


def _prove(folder: Path, card: Card) -> None:
    with (folder / ROWS).open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != card.rows_sha256:
        raise ChainBroken(f"{folder / ROWS} is not what its card speaks of: build the dataset again")


def save_arrow(folder: Path, out: Path) -> None:
    """Write a dataset's rows as Arrow, for `datasets.load_from_disk`; raises what `load_rows` raises."""
    rows: Any = load_rows(folder)
    rows.save_to_disk(out)
