"""Lists scenarios on either side of the line that `splits` draws: those to train on, and those to be judged on."""

from collections.abc import Iterable, Iterator
from itertools import islice

from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suite_of
from training.splits import held_out, trainable

SEEDS = 20_000
"""How many seeds are looked through: a suite may hold nothing out beyond its lists."""


def is_held_out(scenario_id: str) -> bool:
    """Return whether training may not see a scenario; raises UnknownScenario."""
    return held_out(suite_of(scenario_id).parse(scenario_id)) is not None


def refuse_held_out(scenario_ids: Iterable[str]) -> None:
    """Raise HeldOut, naming the scenario, where training may not see one of them."""
    for scenario_id in scenario_ids:
        trainable(scenario_id)


def training_scenarios(suite: Suite, most: int, *, first_seed: int = 0) -> tuple[str, ...]:
    """Return the first `most` scenarios that training may see, the families in turn, from a seed on."""
    return tuple(islice((found for found in _in_turn(suite, first_seed) if not is_held_out(found)), most))


def held_out_scenarios(suite: Suite, most: int, *, first_seed: int = 0) -> tuple[str, ...]:
    """Return the first `most` held-out scenarios: a suite's lists, then whatever else is held out, families in turn."""
    listed = (suite.parse(name).id for names in suite.splits().values() for name in names)
    found = dict.fromkeys(islice(dict.fromkeys(name for name in listed if is_held_out(name)), most))
    if len(found) < most:
        found |= dict.fromkeys(islice((name for name in _in_turn(suite, first_seed) if is_held_out(name)), most))
    return tuple(islice(found, most))


def _in_turn(suite: Suite, first_seed: int) -> Iterator[str]:
    for seed in range(first_seed, first_seed + SEEDS):
        yield from suite.grid(range(seed, seed + 1))
