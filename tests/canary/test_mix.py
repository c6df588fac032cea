"""The mixed suite is as hard as the reward supposes: its shares of bad, severe, mild and many-faced changes."""

from collections import Counter
from functools import cache

import pytest

from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.latents import CARRIERS
from releaseops_mcp.canary.regressions import severity
from releaseops_mcp.canary.scenarios import family_names, world_of
from releaseops_mcp.episodes.canary.truth import suspects_of
from releaseops_mcp.rewards.canary import BAD_PROMOTION, FALSE_ROLLBACK

SEEDS = range(250)
MILD = 1.5
"""Risk ratio up to which a regression is mild."""


@cache
def bad_worlds():
    worlds = [world_of(family, seed) for family in family_names() for seed in SEEDS]
    return tuple(world for world in worlds if world.regression.bad)


def weight(world):
    return severity(world.regression.risk_ratio) * world.service.value


def test_half_of_the_mix_is_bad_a_family_or_its_twin():
    assert len(bad_worlds()) * 2 == len(family_names()) * len(SEEDS)
    for family in families_by_id():
        assert world_of(family, 0).regression.bad != world_of(family + TWIN, 0).regression.bad


def test_bad_changes_weigh_what_the_rewards_weights_suppose():
    mean = sum(map(weight, bad_worlds())) / len(bad_worlds())

    assert mean == pytest.approx(0.586, abs=0.02)
    assert pytest.approx(0.85 / 0.5) == FALSE_ROLLBACK
    assert pytest.approx(0.85 / (0.5 * mean), abs=0.12) == BAD_PROMOTION


def test_no_metric_shows_more_than_six_tenths_of_the_bad_weight():
    shown = Counter[str]()
    for world in bad_worlds():
        shown.update(dict.fromkeys(suspects_of(world), weight(world)))

    total = sum(map(weight, bad_worlds()))
    assert max(shown.values()) < 0.6 * total
    assert {"errors", "latency_p50", "latency_p99", "conversion", "segment_errors", "downstream_errors"} <= set(shown)


def test_the_tail_moves_with_the_errors_half_of_the_time():
    errors = [world for world in bad_worlds() if world.regression.effects.get("errors", 0.0) > 1.0]
    along = [world for world in errors if world.regression.effects.get("tail", 0.0) > 1.0]

    assert len(along) / len(errors) == pytest.approx(0.5, abs=0.06)


def test_some_regressions_are_mild_and_none_is_beyond_measure():
    ratios = [world.regression.risk_ratio for world in bad_worlds()]

    assert 0.05 < sum(ratio <= MILD for ratio in ratios) / len(ratios) < 0.2
    assert min(ratios) >= 1.1
    assert max(ratios) <= 8.0


@pytest.mark.parametrize("family", families_by_id())
def test_twins_share_the_service_and_its_traffic(family):
    for seed in range(5):
        one, other = world_of(family, seed), world_of(family + TWIN, seed)
        assert (one.service, one.load, one.interval) == (other.service, other.load, other.interval)


@pytest.mark.parametrize("family", ["f02-boilingfrog", "f10-relapse", "f13-delayed", "f19-periodic"])
def test_an_incident_of_a_twin_hits_what_the_bad_change_hits(family):
    for seed in range(20):
        worlds = [world_of(family + ending, seed) for ending in ("", TWIN)]
        bad, good = sorted(worlds, key=lambda world: not world.regression.bad)
        assert {one.on: one.factor for one in good.incidents} == dict(bad.regression.effects)


def test_every_carrier_is_what_some_change_makes_worse():
    worse = {carrier for world in bad_worlds() for carrier, ratio in world.regression.effects.items() if ratio > 1.0}

    assert worse == set(CARRIERS)
