"""Makes the world of a family and a seed; twins share every draw but what their family plants."""

import numpy as np

from releaseops_mcp.canary.drawing import Common, Draw, common
from releaseops_mcp.canary.families.base import TWIN, Plan
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.ranges import ranges_of
from releaseops_mcp.canary.world import World

DRAWS, LATENTS, SAMPLES, DISPLAY = range(4)
"""The independent streams of random numbers of one world."""


def family_names() -> tuple[str, ...]:
    """Return every family and its twin, side by side."""
    return tuple(f"{family}{ending}" for family in families_by_id() for ending in ("", TWIN))


def world_of(family_name: str, seed: int) -> World:
    """Return the world of a family (or twin) and a seed; raises KeyError for an unknown family."""
    family = families_by_id()[family_name.removesuffix(TWIN)]
    draw = Draw(stream(family_name, seed, DRAWS), ranges_of(seed))
    drawn = common(draw)
    plan = family.plant(draw, drawn, family_name.endswith(TWIN))
    return world_from(family_name, seed, drawn, plan)


def world_from(family_name: str, seed: int, drawn: Common, plan: Plan) -> World:
    """Return the world of what all families have in common and what one of them plants."""
    return World(
        family=family_name,
        seed=seed,
        interval=plan.interval or drawn.interval,
        load=plan.load or drawn.load,
        service=drawn.service,
        noise=plan.noise or drawn.noise,
        incidents=plan.incidents,
        regression=plan.regression,
        faults=plan.faults or drawn.faults,
        decisions=drawn.decisions,
    )


def stream(family_name: str, seed: int, purpose: int) -> np.random.Generator:
    """Return one of a world's streams; twins have the same."""
    number = int(family_name[1:3])
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, number, purpose])))
