"""Lists scenarios on either side of the line that `splits` draws: those to train on, and those to be judged on."""

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suite_of
from training.splits import held_out, trainable

TEST = ("held", "test")
"""How the names of lists begin that are for the last word: others, such as `dev`, are for choosing."""
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
    """Return the first `most` held-out scenarios, the families of each list in turn.

    A suite's test lists come first, then its other lists, then whatever else is held out.
    """
    lists = sorted(suite.splits().items(), key=lambda item: not item[0].startswith(TEST))
    listed = (name for _, names in lists for name in families_in_turn(suite, names) if is_held_out(name))
    found = dict.fromkeys(islice(listed, most))
    if len(found) < most:
        found |= dict.fromkeys(islice((name for name in _in_turn(suite, first_seed) if is_held_out(name)), most))
    return tuple(islice(found, most))


def families_in_turn(suite: Suite, scenario_ids: Iterable[str]) -> Iterator[str]:
    """Yield distinct scenarios so that any first part of them holds all families alike."""
    families: dict[str, list[str]] = {}
    for scenario in dict.fromkeys(suite.parse(name) for name in scenario_ids):
        families.setdefault(scenario.family, []).append(scenario.id)
    for turn in zip_longest(*families.values()):
        yield from (name for name in turn if name is not None)


def _in_turn(suite: Suite, first_seed: int) -> Iterator[str]:
    for seed in range(first_seed, first_seed + SEEDS):
        yield from suite.grid(range(seed, seed + 1))
