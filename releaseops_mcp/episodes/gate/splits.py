"""The suite's scenario lists, declared in one place; what training may not see at any seed is in `world.reserved`."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType

from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.reserved import KINDS, ORGS, is_reserved_combination
from releaseops_mcp.world.scenario import ScenarioName

HELD_OUT_KINDS, HELD_OUT_ORGS, HELD_OUT_COMBINATIONS = "held-out-kinds", "held-out-orgs", "held-out-combinations"
NOVEL = (HELD_OUT_KINDS, HELD_OUT_ORGS, HELD_OUT_COMBINATIONS)
PAIRS, STREAM_SPLIT, HELD_OUT_SEEDS = "pairs", "stream", "held-out-seeds"
SEEDS = {
    "train": range(0, 20),
    "dev": range(10_000, 10_008),
    PAIRS: range(20_000, 20_004),
    HELD_OUT_SEEDS: range(40_000, 40_008),
    HELD_OUT_KINDS: range(50_000, 50_008),
    HELD_OUT_ORGS: range(60_000, 60_008),
    HELD_OUT_COMBINATIONS: range(70_000, 70_040),
}
"""The listed seeds of each split; `stream` has its own."""
STREAM = range(30_000, 30_012)
FAULTY_IN_STREAM = 6
"""One scenario in so many of the stream has the named fault: with all others, 5 to 10 % of its proposals are bad."""
RESERVED_SEEDS = {
    PAIRS: range(SEEDS[PAIRS].start, STREAM.start),
    STREAM_SPLIT: range(STREAM.start, SEEDS[HELD_OUT_SEEDS].start),
    HELD_OUT_SEEDS: range(SEEDS[HELD_OUT_SEEDS].start, 10**18),
}
"""Seeds that no training may see, of whatever kind and organisation, the unlisted ones too."""
LEVELS = (1, 2, 3, 4, 5)


def names(
    seeds: Iterable[int], levels: tuple[int, ...] = LEVELS, orgs: tuple[str, ...] | None = None
) -> Iterator[ScenarioName]:
    """Yield every organisation's (the built-in ones') kinds with their twins, seed by seed and level by level."""
    for org in org_names() if orgs is None else orgs:
        for kind in plantable(load_org(org)):
            for seed in seeds:
                for level in levels:
                    for twin in (False, True):
                        yield ScenarioName(org, kind.name, twin, level, seed)


@cache
def draw_splits() -> Mapping[str, tuple[str, ...]]:
    """Return the scenario ids of every split.

    `train`, `dev` and `held-out-seeds` have the same mix; each other held-out list has only what is new in one way:
    the kind, the organisation, or the combination. `pairs` and `stream` have everything.
    """
    splits = {split: tuple(name.id for name in names(seeds) if _is_in(split, name)) for split, seeds in SEEDS.items()}
    return MappingProxyType(splits | {STREAM_SPLIT: tuple(name.id for name in stream(STREAM))})


def _is_in(split: str, name: ScenarioName) -> bool:
    new = novelties(name)
    return split == PAIRS or (new == (split,) if split in NOVEL else not new)


def novelties(name: ScenarioName) -> tuple[str, ...]:
    """Return the held-out splits that name what a scenario has and no training world has at any seed."""
    found = {
        HELD_OUT_KINDS: name.kind in KINDS,
        HELD_OUT_ORGS: name.org in ORGS,
        HELD_OUT_COMBINATIONS: is_reserved_combination(name.kind, name.org, name.level),
    }
    return tuple(split for split, is_new in found.items() if is_new)


def reserved(name: ScenarioName) -> str | None:
    """Return the name of the held-out part that a scenario is in, or None where training may see it."""
    of_seed = (part for part, seeds in RESERVED_SEEDS.items() if name.seed in seeds)
    return next(iter((*novelties(name), *of_seed)), None)


def stream(seeds: range) -> Iterator[ScenarioName]:
    """Yield one scenario of each organisation, kind, seed and level, most of them without the named fault."""
    pairs = [name for name in names(seeds) if not name.twin]
    for number, name in enumerate(pairs):
        yield name if number % FAULTY_IN_STREAM == 0 else name.other
