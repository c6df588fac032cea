"""What the tools show becomes evidence: buckets, quantiles, memory, processor time."""

import math

import numpy as np
import pytest

from releaseops_mcp.canary.metrics import BASELINE, CANARY, STABLE
from releaseops_mcp.canary.reference.belief import Belief
from releaseops_mcp.canary.reference.crowding import Crowding
from releaseops_mcp.canary.reference.forecasts import settled
from releaseops_mcp.canary.reference.hypotheses import hypotheses
from releaseops_mcp.canary.reference.looks import Bucket, buckets_of, lag_of, mislabelled
from releaseops_mcp.canary.reference.memory import MemoryTrend
from releaseops_mcp.canary.reference.particles import Particles
from releaseops_mcp.canary.reference.quantiles import TAILS, latency
from releaseops_mcp.canary.scenarios import family_names

MANY = np.full(3, 300.0)
SETUP = {
    "requests_per_minute": 6_000,
    "interval_minutes": 8,
    "usual": {"errors": 0.5, "latency_p50": 80.0, "latency_p99": 320.0, "conversion": 3.0, "downstream_errors": 0.5},
}


def view(metric="errors", canary=(1.0, 2.0, 3.0), baseline=(1.0, 1.0, 1.0), requests=(300, 300, 5400), width=1):
    return {
        "metric": metric,
        "from_minute": 0,
        "bucket_minutes": width,
        "canary": list(canary),
        "baseline": list(baseline),
        "stable": [1.0] * len(canary),
        "canary_requests": requests[0],
        "baseline_requests": requests[1],
        "stable_requests": requests[2],
    }


def shares(minutes=40, canary=0.05):
    return np.tile([canary, canary, 1.0 - 2 * canary], (minutes, 1))


def of_family(name, interval=8):
    particles = Particles.prior(hypotheses(interval), 5_000.0)
    return particles, np.array(family_names())[particles.worlds.family[particles.rows]] == name


def test_rows_are_gathered_into_buckets_with_the_requests_behind_them():
    (bucket,) = buckets_of(view(), shares(), 1, 4)

    assert (bucket.start, bucket.end, bucket.rows) == (0, 3, 3)
    assert bucket.values.tolist() == [2.0, 1.0, 1.0]
    assert bucket.requests.tolist() == pytest.approx([100.0, 100.0, 1_800.0])


def test_requests_follow_the_traffic_that_was_asked_for():
    split = np.concatenate([shares(3, 0.05), shares(3, 0.25)])

    low, high = buckets_of(view(canary=[1.0] * 3 + [2.0] * 3, baseline=[1.0] * 6), split, 0, 6)

    assert high.requests[CANARY] == pytest.approx(5 * low.requests[CANARY])


def test_a_held_value_and_a_missing_one_tell_nothing():
    (bucket,) = buckets_of(view("latency_p50", (80.0, 80.0, None), (90.0, 91.0, 92.0)), shares(), 1, 4)

    assert bucket.rows == 1
    assert bucket.values[BASELINE] == pytest.approx(math.log(90.0))


def test_a_held_whole_number_is_missing_too():
    (bucket,) = buckets_of(view("memory", (800, 800, 801), (800, 801, 802)), shares(), 1, 4)

    assert bucket.rows == 2


def test_lag_and_wrong_labels_are_read_off_a_view():
    assert lag_of(view(), 5) == 2
    assert lag_of(view(width=2), 6) is None
    assert mislabelled(view(requests=(5400, 300, 5400)))
    assert mislabelled(view()) is False
    assert mislabelled(view(requests=(0, 0, 0))) is None


def test_the_scatter_of_a_quantile_falls_with_the_requests_and_its_level_rises_with_the_slow_path():
    rng = np.random.Generator(np.random.PCG64(1))
    tables = latency(np.tile([0.4, 0.02, 5.0], (10, 1)), 1.5, 1_000.0, rng)
    service = np.zeros(len(TAILS), dtype=np.int64)

    mean, few = tables.expected(1, service, TAILS, 30.0)
    _, many = tables.expected(1, service, TAILS, 30_000.0)

    assert np.all(np.diff(tables.expected(1, service, TAILS, 30_000.0)[0]) > 0.0)
    assert np.all(many < few)
    assert np.isfinite(mean).all()


def test_the_noise_of_a_mean_is_that_of_its_autocorrelated_minutes():
    minutes = np.arange(12)
    brute = (0.9 ** np.abs(minutes[:, None] - minutes)).mean()

    assert settled(1) == pytest.approx(1.0)
    assert settled(12) == pytest.approx(brute)


def test_a_straight_line_of_memory_is_a_leak_and_a_bent_one_a_cache():
    particles, leak = of_family("f07-leak")
    _, cache = of_family("f07-leak-twin")
    straight, bent = MemoryTrend(), MemoryTrend()
    for minute in range(0, 40, 4):
        gains = 0.02 * minute, 0.8 * (1 - math.exp(-minute / 20))
        for trend, gain in zip((straight, bent), gains, strict=True):
            values = np.array([math.log(1.0 + gain), 0.0, 0.0])
            trend.add(Bucket(minute, minute + 4, 4, values, MANY), 0.05)

    assert straight.likely(particles)[leak].max() > straight.likely(particles)[cache].max() + 3.0
    assert bent.likely(particles)[cache].max() > bent.likely(particles)[leak].max() + 3.0


def test_processor_time_tells_a_cliff_though_the_mesh_sends_less_than_asked():
    particles, cliff = of_family("f09-capacity")
    crowding = Crowding()
    values = np.log([12.0, 2.4, 50.0])

    crowding.add(Bucket(0, 8, 8, values, np.array([180.0, 300.0, 5_000.0])), 0.05)

    assert crowding.likely(particles)[cliff].max() > crowding.likely(particles)[~cliff].max() + 5.0


@pytest.mark.parametrize(("rate", "worse"), [(0.5, False), (2.5, True)])
def test_a_difference_between_the_fresh_arms_moves_the_belief(rate, worse):
    belief = Belief(SETUP, np.random.Generator(np.random.PCG64(5)))
    before = belief.p_bad

    errors = np.full(9, rate) * (1.0 + 0.01 * np.arange(9))
    seen = view(canary=errors, baseline=0.5 + 0.01 * np.arange(9), requests=(9_000, 9_000, 42_000))
    belief.look(seen, 10, 10, shares())

    assert (belief.p_bad > before + 0.2) is worse
    assert belief.state.seen["errors"] == 9


def test_a_wrong_label_leaves_only_worlds_with_broken_queries():
    belief = Belief(SETUP, np.random.Generator(np.random.PCG64(5)))

    belief.look(view(requests=(5_400, 300, 5_400)), 4, 4, shares())

    worlds = belief.particles.worlds
    assert belief.particles.weights @ worlds.mislabelled[belief.particles.rows] > 0.99
    assert belief.p_bad == pytest.approx(0.5, abs=0.2)  # of few dozen worlds with about this traffic


def test_an_answer_is_believed_nine_times_in_ten():
    belief = Belief(SETUP, np.random.Generator(np.random.PCG64(5)))
    leaks = belief.particles.worlds.memory[belief.particles.rows] == 1
    before = belief.particles.weights @ leaks

    belief.answer("memory", False, 10)

    odds = 9.0 * before / (1.0 - before)
    assert belief.particles.weights @ leaks == pytest.approx(odds / (1.0 + odds))


def test_many_alerts_of_other_services_are_a_storm():
    belief = Belief(SETUP, np.random.Generator(np.random.PCG64(5)))

    belief.alerts(9, 20)

    worlds = belief.particles.worlds
    assert belief.particles.weights @ (worlds.storm[:, belief.particles.rows].max(axis=0) > 3.0) > 0.95


def test_the_stable_arm_may_be_gone():
    gone = view(requests=(5_000, 5_000, 0))
    gone["stable"] = [None] * 3
    belief = Belief(SETUP, np.random.Generator(np.random.PCG64(5)))

    belief.look(gone, 4, 4, shares(canary=0.5))
    belief.look(
        gone | {"metric": "latency_p99", "canary": [310, 320, 330], "baseline": [312, 300, 329]}, 4, 5, shares()
    )

    assert np.isfinite(belief.particles.logs).all()
    assert np.isnan(buckets_of(gone, shares(canary=0.5), 1, 4)[0].values[STABLE])
