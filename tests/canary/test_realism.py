"""The simulator's telemetry behaves as real telemetry does: the quick ones of `make gates`, on fewer worlds."""

import math
from dataclasses import replace

import numpy as np
import pytest

from releaseops_mcp.canary.metrics import CANARY
from tests.gates import canary_counts, canary_judged, canary_secrets, canary_seeds, canary_series
from tests.gates.lab import CALM, run, with_load


def test_one_look_blames_a_sound_canary_as_often_as_its_level_says_and_many_looks_far_more_often() -> None:
    once, ever = canary_counts.false_alarms(400)

    assert 0.02 <= once / 400 <= 0.09
    assert 0.20 <= ever / 400 <= 0.37


@pytest.mark.parametrize("canary_rpm", [50, 1_000])
def test_plain_limits_abort_sound_canaries_as_often_as_an_independent_prototype_says(canary_rpm: int) -> None:
    worlds = 80
    aborted = canary_counts.aborted(canary_rpm, worlds)

    expected = dict(zip(aborted, canary_counts.EXPECTED[canary_rpm], strict=True))
    for name, aborts in aborted.items():
        assert 100 * aborts / worlds == pytest.approx(expected[name], abs=15), name


def test_noise_with_a_memory_makes_ranks_fail_sound_canaries_and_noise_without_does_not() -> None:
    without = canary_judged.flagged(canary_judged.KAYENTA, canary_judged.NO_MEMORY, "latency_p50", 100)
    remembered = canary_judged.flagged(canary_judged.KAYENTA, canary_judged.MEMORY, "latency_p50", 100)

    assert without <= 2
    assert 8 <= remembered <= 32


def test_a_slow_tail_shows_in_p99_and_not_in_the_median() -> None:
    tail = canary_judged.flagged(canary_judged.KAYENTA, canary_judged.TAIL, "latency_p99", 60)
    median = canary_judged.flagged(canary_judged.KAYENTA, canary_judged.TAIL, "latency_p50", 60)

    assert tail >= 48
    assert median <= 9


def test_a_shared_incident_fails_an_absolute_gate_and_not_a_difference() -> None:
    aborted = canary_judged.aborted_by_incident(60)

    assert aborted["absolute"] == 60
    assert aborted["differential"] <= 3


def test_an_e_process_rarely_blames_a_sound_canary_however_often_it_looks() -> None:
    assert canary_judged.blamed(1.0, 0.0, 6_000, 80) <= 6
    assert canary_judged.blamed(1.25, 0.3, 600, 80) <= 8


def test_generated_series_lie_within_what_was_measured_on_real_ones() -> None:
    found = canary_series.shapes(1, minutes=2 * 24 * 60)

    for column, (name, (low, high)) in enumerate(canary_series.RANGES.items()):
        inside = sum(low <= shape.values[column] <= high for shape in found)
        assert inside >= 0.93 * len(found), name


@pytest.mark.parametrize("family", ["f04-phantom", "f16-brokenquery"])
def test_alerts_alone_do_not_tell_these_twins_apart(family: str) -> None:
    area = canary_secrets.area_under_curve(canary_secrets.alerts_of(family, 30))

    assert abs(area - 0.5) <= 0.22


def test_alerts_that_nobody_muted_do_tell_twins_apart() -> None:
    assert canary_secrets.area_under_curve(canary_secrets.alerts_of("f03-sharedincident", 60)) >= 0.57


def test_twins_begin_with_the_same_bytes() -> None:
    assert all(one == other for one, other in canary_secrets.first_observations(3))


def test_a_seed_is_the_same_world_in_every_process_and_no_other_seeds() -> None:
    worlds = 38

    assert canary_seeds.digest(worlds) == canary_seeds.digest(worlds) == canary_seeds.elsewhere(worlds, "7")
    assert canary_seeds.distinct(worlds) == worlds
    assert len(canary_seeds.statistics(worlds)) == worlds


@pytest.mark.parametrize(("quantile", "name"), [(0.5, "latency_p50"), (0.99, "latency_p99")])
def test_a_quantile_of_few_requests_scatters_as_that_of_requests_drawn_one_by_one(quantile: float, name: str) -> None:
    minutes, a_minute = 3_000, 80
    world = replace(with_load(CALM, a_minute / 0.1), interval=minutes // 16 + 1)
    service, rng = world.service, np.random.Generator(np.random.PCG64(1))

    simulated = np.log(run(world, 0, minutes, 0.1)[name][:, CANARY])

    drawn = []
    for count in rng.poisson(a_minute, minutes):
        slow = rng.random(count) < service.slow_share
        body = math.log(service.latency_ms) + service.latency_spread * rng.standard_normal(count)
        drawn.append(np.sort(body + slow * math.log(service.slow_factor))[math.ceil(quantile * count) - 1])
    assert simulated.mean() == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / math.sqrt(minutes / 2))
    assert simulated.std() == pytest.approx(np.std(drawn), rel=0.1)
