"""The splits draw from their own ranges: no parameter that is held out occurs in training, and stress lies outside."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from releaseops_mcp.canary.drawing import Draw
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.ranges import BY_SPLIT, HELD_OUT, STRESS, TRAINING, Band, ranges_at, ranges_of
from releaseops_mcp.canary.scenarios import family_names, world_of
from releaseops_mcp.episodes.canary import SUITE, splits
from releaseops_mcp.simulation import Simulation
from tests.canary.fingerprints import of_table
from tests.canary.worlds import stream

SEEDS = {"train": splits.TRAIN[:6], "dev": splits.DEV[:6], "held-out": splits.HELD_OUT[:6], "stress": splits.STRESS[:6]}
TRAINED = ("train", "dev")


@cache
def worlds(split):
    return tuple(world_of(family, seed) for family in family_names() for seed in SEEDS[split])


def within(rpm, band):
    return band.low <= rpm < band.high


def in_held_out_traffic(world):
    return within(world.load.rpm, HELD_OUT.traffic) or within(world.load.rpm, HELD_OUT.low_traffic)


def test_every_seed_of_every_split_shows_its_own_trajectory():
    tables = [of_table(family, seed) for seeds in SEEDS.values() for family in families_by_id() for seed in seeds]
    assert len(set(tables)) == len(tables)


@pytest.mark.parametrize("split", TRAINED)
def test_no_held_out_parameter_and_none_of_stress_occurs_in_training(split):
    for world in worlds(split):
        for ranges in (HELD_OUT, STRESS):
            assert world.interval not in ranges.intervals
            assert world.service.name not in ranges.services
            assert world.service.downstream not in ranges.downstreams
            assert world.service.segment not in ranges.segments
        assert not in_held_out_traffic(world), world
        assert not within(world.load.rpm, STRESS.traffic)
        assert not within(world.load.rpm, STRESS.low_traffic)


def test_held_out_worlds_are_made_of_held_out_parameters_and_as_long_and_noisy_as_those_of_training():
    for world in worlds("held-out"):
        assert world.interval in HELD_OUT.intervals
        assert world.decisions == TRAINING.decisions
        assert world.service.name in HELD_OUT.services
        assert in_held_out_traffic(world)
        assert TRAINING.lag[0] <= world.faults.lag <= TRAINING.lag[1]
        assert TRAINING.shared[0] <= world.noise.shared <= TRAINING.shared[1]


def test_a_world_of_stress_is_outside_of_training_in_everything_at_once():
    for world in worlds("stress"):
        assert world.deadline > max(other.deadline for split in TRAINED for other in worlds(split))
        assert world.noise.shared >= TRAINING.shared[1]
        assert world.faults.lag > TRAINING.lag[1]
        assert world.faults.gap_rate >= TRAINING.gap_rate[1]


def test_faulty_telemetry_is_more_frequent_under_stress():
    def share(split, fault):
        return np.mean([fault(world.faults) for world in worlds(split)])

    for fault in (
        lambda faults: faults.stale is not None,
        lambda faults: faults.counter_reset is not None,
        lambda faults: faults.applied_weight != 1.0,
    ):
        assert share("stress", fault) > 2 * share("train", fault)


@given(st.integers(0, 10**17))
@settings(max_examples=60, deadline=None)
def test_a_seed_decides_where_its_worlds_are_drawn(seed):
    world = world_of("f01-bigbang", seed)
    assert ranges_of(seed) is ranges_at(world.interval)
    assert (splits.reserved("f01-bigbang", seed) is None) == (ranges_of(seed) is TRAINING)


def test_no_two_splits_have_a_pace_in_common():
    paces = [pace for ranges in BY_SPLIT.values() for pace in ranges.intervals]
    assert len(set(paces)) == len(paces)
    with pytest.raises(ValueError, match="no rollout decides every 13 minutes"):
        ranges_at(13)


@given(st.integers(0, 10_000))
@settings(max_examples=50, deadline=None)
def test_traffic_never_falls_into_what_is_left_out(seed):
    draw = Draw(stream(seed), TRAINING)
    rpm = draw.traffic(Band(10.0, 1_000.0, without=(50.0, 500.0)))
    assert rpm < 50.0 or rpm >= 500.0


def test_as_many_changes_are_bad_in_every_split():
    for split in SEEDS:
        assert np.mean([world.regression.bad for world in worlds(split)]) == 0.5


def test_the_suite_lists_what_is_kept_from_training():
    listed = SUITE.splits()
    assert set(listed) == {"dev", "held-out", "stress"}
    assert len({name for names in listed.values() for name in names}) == sum(map(len, listed.values()))
    for name in ("held-out", "stress"):
        assert {splits.reserved(one.family, one.seed) for one in map(SUITE.parse, listed[name])} == {name}


def test_an_episode_of_stress_takes_more_decisions():
    simulation = Simulation.of(f"canary/f07-leak-twin/seed-{splits.STRESS[0]}")
    for _ in range(STRESS.decisions):
        assert not simulation.done
        simulation.call("decide_rollout", {"action_type": "hold", "diagnosis": "healthy"})
    assert simulation.done
