"""The original's data splits, drawn as the original drew them.

Each row draws a family, then a seed, from a generator seeded per split. `eval_unseen` is the deploy family, which
`train` never shows.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from types import MappingProxyType

from releaseops_mcp.episodes.classic_gate.families import DEPLOY, GREEN_CI, P1, SAFE

SEEN_FAMILIES = (GREEN_CI, P1, SAFE)
DRAWS = (("train", 101, 120, SEEN_FAMILIES), ("eval_seen", 202, 30, SEEN_FAMILIES), ("eval_unseen", 303, 20, (DEPLOY,)))
"""Name, seed of the draw, number of rows, families to draw from."""


def scenario_id(family: str, difficulty: str, seed: int) -> str:
    """Return the id of a scenario."""
    return f"classic-gate/{family}/{difficulty}/seed-{seed}"


@cache
def draw_splits() -> Mapping[str, tuple[str, ...]]:
    """Return the scenario ids of every split; `eval` is `eval_seen`, then `eval_unseen`; a row may occur twice."""
    splits = {name: tuple(_rows(seed, count, families)) for name, seed, count, families in DRAWS}
    return MappingProxyType(splits | {"eval": splits["eval_seen"] + splits["eval_unseen"]})


def _rows(seed: int, count: int, families: tuple[str, ...]) -> Iterator[str]:
    rng = Random(seed)  # noqa: S311 - the splits are fixed
    for _ in range(count):
        family = rng.choice(families)
        yield scenario_id(family, "low" if family == SAFE else "medium", rng.randint(1000, 9999))
