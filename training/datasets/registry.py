"""Finds the kinds of datasets: every module of `kinds` that exports `KIND`."""

import importlib
import pkgutil
from functools import cache
from typing import Any

from releaseops_mcp.errors import InvalidArgument
from training.datasets import kinds as folder
from training.datasets.base import Kind


@cache
def kinds() -> dict[str, type[Kind[Any, Any]]]:
    """Return the kinds by name."""
    found: dict[str, type[Kind[Any, Any]]] = {}
    for module in pkgutil.iter_modules(folder.__path__):
        kind = getattr(importlib.import_module(f"{folder.__name__}.{module.name}"), "KIND", None)
        if kind is not None:
            found[kind.name] = kind
    return found


def kind_named(name: str) -> type[Kind[Any, Any]]:
    """Return a kind; raises InvalidArgument naming those that exist."""
    if name not in kinds():
        raise InvalidArgument(f"no dataset is of kind {name[:80]!r}: choose one of {', '.join(kinds())}")
    return kinds()[name]
