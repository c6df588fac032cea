"""Scenarios: the same seed draws the same world, another seed another, and twins differ in what is planted alone."""

from dataclasses import fields

import numpy as np
import pytest

from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.latents import HISTORY, latents_of
from releaseops_mcp.canary.scenarios import DISPLAY, LATENTS, SAMPLES, family_names, stream, world_of
from releaseops_mcp.canary.traffic import Rollout
from releaseops_mcp.canary.world import World

PLANTED = {"family", "regression", "incidents", "faults", "noise", "load"}
"""Parts of a world that a family may change; the service and the pace are drawn alike."""


def pairs(seeds):
    return [(world_of(name, seed), world_of(name + TWIN, seed)) for name in families_by_id() for seed in seeds]


def parts(world: World):
    return {field.name: getattr(world, field.name) for field in fields(world)}


def test_every_family_has_an_unmistakable_name_and_a_twin_beside_it():
    names = family_names()
    assert names[::2] == tuple(families_by_id())
    assert names[1::2] == tuple(name + TWIN for name in names[::2])
    assert [int(name[1:3]) for name in names[::2]] == list(range(1, len(names) // 2 + 1))


def test_every_family_says_what_it_teaches():
    for family in families_by_id().values():
        assert family.title
        assert family.teaches.endswith("."), family.id


def test_a_twin_has_the_opposite_truth_and_the_same_service_and_pace():
    for case, twin in pairs(range(5)):
        assert case.regression.bad is not twin.regression.bad, case.family
        different = {name for name, part in parts(case).items() if part != parts(twin)[name]}
        assert different <= PLANTED, case.family


def test_half_of_the_mix_is_bad():
    worlds = [world_of(name, seed) for name in family_names() for seed in range(3)]
    assert np.mean([world.regression.bad for world in worlds]) == 0.5


def test_twins_have_one_past_byte_for_byte():
    for case, twin in pairs(range(2)):
        seen = [
            Rollout(world, latents_of(world, stream(world.family, world.seed, LATENTS)), samples).samples(-HISTORY, 0)
            for world in (case, twin)
            for samples in [stream(world.family, world.seed, SAMPLES)]
        ]
        assert seen[0].tobytes() == seen[1].tobytes(), case.family


def test_twins_have_the_same_streams_and_purposes_and_seeds_have_their_own():
    def begins(name, seed, purpose):
        return stream(name, seed, purpose).integers(1 << 60)

    assert begins("f07-leak", 5, SAMPLES) == begins("f07-leak-twin", 5, SAMPLES)
    others = {begins(name, seed, purpose) for name in ("f07-leak", "f08-coldstart") for seed in (5, 6)
              for purpose in (LATENTS, SAMPLES, DISPLAY)}  # fmt: skip
    assert len(others) == 12


def test_the_same_seed_draws_the_same_world_and_another_seed_another():
    assert world_of("f07-leak", 3) == world_of("f07-leak", 3)
    assert len({repr(world_of("f07-leak", seed)) for seed in range(200)}) == 200


def test_an_unknown_family_is_a_key_error():
    with pytest.raises(KeyError):
        world_of("f98-nothing", 0)
    with pytest.raises(KeyError):
        world_of("f07-leak-twin-twin", 0)
