"""Finds what is known of each suite: every module beside this one that exports `MEASURES`."""

import importlib
import pkgutil
from functools import cache

from releaseops_mcp.evaluation import measures
from releaseops_mcp.evaluation.measures.base import Measures


@cache
def suite_measures() -> dict[str, Measures]:
    """Return the measures by suite."""
    found: dict[str, Measures] = {}
    for module in pkgutil.iter_modules(measures.__path__):
        entry = getattr(importlib.import_module(f"{measures.__name__}.{module.name}"), "MEASURES", None)
        if isinstance(entry, Measures):
            found[entry.suite] = entry
    return found


def measures_of(suite: str) -> Measures:
    """Return what is known of a suite; of an unknown one, what holds for any."""
    return suite_measures().get(suite) or Measures(suite)
