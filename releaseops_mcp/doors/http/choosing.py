"""Which scenario a reset asks for: one by name, or a suite's default one under a seed."""

import re
from typing import Any

from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.base import Json, Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument

DEFAULT_SUITE = "classic-gate"
CHOICES = ("scenario", "suite", "seed")
_SEED = re.compile(r"seed-[^/@]*")
_MAX_SEED = 10**18 - 1


def chosen_scenario(arena: Arena, asked: Json) -> Any:
    """Return the scenario id or ticket that `scenario`, or `suite` and `seed`, ask for; raises InvalidArgument.

    With none of them it is the default scenario of classic-gate. A suite without open ids is started by a fresh ticket.
    """
    if "scenario" in asked:
        if "suite" in asked or "seed" in asked:
            raise InvalidArgument("a scenario names its suite and its seed: leave suite and seed out, or scenario")
        return asked["scenario"]
    suite = suite_named(asked.get("suite", DEFAULT_SUITE))
    scenario_id = suite.default_scenario
    if "seed" in asked:
        scenario_id = _SEED.sub(f"seed-{checked_seed(asked['seed'])}", scenario_id)
    return scenario_id if suite.open_ids else arena.tickets.mint([scenario_id])[0]


def suite_named(name: Any) -> Suite:
    found = suites().get(name) if isinstance(name, str) else None
    if found is None:
        raise InvalidArgument(f"no suite {ascii(name)[:60]}: the suites are {', '.join(suites())}")
    return found


def checked_seed(seed: Any) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool) or abs(seed) > _MAX_SEED:
        raise InvalidArgument("seed must be a whole number of at most 18 digits")
    return seed
