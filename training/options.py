"""Command lines from config dataclasses: a field is an argument, with its default and what it does."""

import json
from collections.abc import Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import Any, TypeVar, cast

from transformers import HfArgumentParser

C = TypeVar("C")


def option(default: Any, what: str) -> Any:
    """Return a field with a default and the line that `--help` shows."""
    return field(default=default, metadata={"help": what})


def parse(kind: type[C], arguments: Sequence[str] | None = None, *, about: str = "") -> C:
    """Return the config that a command line describes; exits with the usage where it is wrong."""
    parser: Any = HfArgumentParser(cast("Any", kind), description=about)
    (config,) = parser.parse_args_into_dataclasses(args=arguments if arguments is None else list(arguments))
    return config


def save_config(config: Any, folder: Path) -> dict[str, Any]:
    """Write `config.json` into a run's folder and return what is in it."""
    said = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(config).items()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(said, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return said
