"""Finds the suites: every module or package beside this one that exports `SUITE`."""

import importlib
import pkgutil
from functools import cache

from releaseops_mcp import episodes
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.errors import UnknownScenario


@cache
def suites() -> dict[str, Suite]:
    """Return the installed suites by name, in order of their modules' names."""
    found: dict[str, Suite] = {}
    for module in pkgutil.iter_modules(episodes.__path__):
        suite = getattr(importlib.import_module(f"{episodes.__name__}.{module.name}"), "SUITE", None)
        if isinstance(suite, Suite):
            found[suite.name] = suite
    return found


def is_open(suite: str) -> bool:
    """Return whether a suite is installed here and keeps no ids closed."""
    return suite in suites() and suites()[suite].open_ids


def suite_of(scenario_id: str) -> Suite:
    """Return the suite that a scenario id belongs to: its first path segment."""
    name = scenario_id.partition("/")[0]
    if name not in suites():
        raise UnknownScenario(
            f"no suite {name[:80]!r} (of scenario {scenario_id[:120]!r}): the suites are {', '.join(suites())}; "
            "list_scenarios shows what can be played"
        )
    return suites()[name]
