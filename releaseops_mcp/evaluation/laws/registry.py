"""Finds the laws of each suite: every module beside this one that exports `SUITE_LAWS`."""

import importlib
import pkgutil
from functools import cache

from releaseops_mcp.evaluation import laws
from releaseops_mcp.evaluation.laws.base import Law, SuiteLaws


@cache
def suite_laws() -> dict[str, SuiteLaws]:
    """Return what each suite measures, by its name."""
    found: dict[str, SuiteLaws] = {}
    for module in pkgutil.iter_modules(laws.__path__):
        entry = getattr(importlib.import_module(f"{laws.__name__}.{module.name}"), "SUITE_LAWS", None)
        if isinstance(entry, SuiteLaws):
            found[entry.suite] = entry
    return found


def laws_of(suite: str) -> tuple[Law, ...]:
    """Return the laws that a suite measures beyond those of every suite."""
    entry = suite_laws().get(suite)
    return entry.laws if entry else ()
