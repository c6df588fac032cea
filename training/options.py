"""Command lines from config dataclasses: a field is an argument, with its default and what it does."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import Any, TypeVar, cast

from transformers import HfArgumentParser

from releaseops_mcp.errors import ReleaseOpsError

C = TypeVar("C")
ARGUMENTS = "arguments.json"
"""A run's config; `config.json` is the model's."""


def option(default: Any, what: str) -> Any:
    """Return a field with a default and the line that `--help` shows."""
    return field(default=default, metadata={"help": what})


def parse(kind: type[C], arguments: Sequence[str] | None = None, *, about: str = "") -> C:
    """Return the config that a command line describes; exits with the usage where it is wrong."""
    parser: Any = HfArgumentParser(cast("Any", kind), description=about)
    (config,) = parser.parse_args_into_dataclasses(args=arguments if arguments is None else list(arguments))
    return config


def run(kind: type[C], main: Callable[[C], Any], about: str | None) -> None:
    """Run a script: parse, train, print how it ended; what it refuses is said on one line, with exit status 2."""
    config = parse(kind, about=about or "")
    try:
        print(json.dumps(main(config), indent=2))  # noqa: T201 - the script's answer
    except ReleaseOpsError as error:
        print(error.text, file=sys.stderr)  # noqa: T201 - the script's answer
        sys.exit(2)


def said(config: Any) -> dict[str, Any]:
    """Return a config as `arguments.json` holds it."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(config).items()}


def save_config(config: Any, folder: Path) -> None:
    """Write `arguments.json` into a run's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ARGUMENTS).write_text(json.dumps(said(config), indent=2, sort_keys=True) + "\n", encoding="utf-8")
