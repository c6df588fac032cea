"""The suite's scenario lists, declared in one place."""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.scenario import ScenarioName

SEEDS = {"train": range(0, 40), "dev": range(10_000, 10_008), "pairs": range(20_000, 20_008)}
STREAM = range(30_000, 30_024)
FAULTY_IN_STREAM = 3
"""One scenario in so many of the stream has the named fault: 5 to 10 % of its proposals are bad."""
LEVELS = (1, 2, 3, 4, 5)


def names(
    seeds: range, levels: tuple[int, ...] = LEVELS, orgs: tuple[str, ...] | None = None
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
    """Return the scenario ids of every split."""
    splits = {split: tuple(name.id for name in names(seeds)) for split, seeds in SEEDS.items()}
    return MappingProxyType(splits | {"stream": tuple(name.id for name in stream(STREAM))})


def stream(seeds: range) -> Iterator[ScenarioName]:
    """Yield one scenario of each organisation, kind, seed and level, most of them without the named fault."""
    pairs = [name for name in names(seeds) if not name.twin]
    for number, name in enumerate(pairs):
        yield name if number * 7 % FAULTY_IN_STREAM == 0 else name.other
