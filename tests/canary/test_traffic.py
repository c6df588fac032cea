"""The samples follow their exact laws: counts, quantiles, levels, and the traffic behind them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from releaseops_mcp.canary.latents import HISTORY, SLACK
from releaseops_mcp.canary.metrics import BASELINE, CANARY, STABLE
from releaseops_mcp.canary.traffic import FULL_CPU, MOST_CANARY, Rollout, Shares
from releaseops_mcp.canary.world import Regression
from tests.canary.worlds import CALM, rollout_of, with_

HALF = Shares(0.25, 0.25)


def sampled(world=CALM, shares=HALF, seeds=40):
    """Return the counters of many rollouts' minutes 0 .. deadline - 1, stacked along the minutes."""
    runs = []
    for seed in range(seeds):
        rollout = rollout_of(world, seed)
        rollout.run(world.deadline, shares)
        runs.append(rollout.counters(0, world.deadline))
    return {name: np.concatenate([run[name] for run in runs]) for name in Rollout.NAMES}


@given(
    st.integers(0, 19).map(lambda n: round(0.05 * n, 2)),
    st.sampled_from([0.6, 1.0, 1.5]),
    st.booleans(),
)
def test_shares_are_a_partition_of_the_traffic(weight, applied, extended):
    shares = Shares.of(weight, applied, extended)
    split = shares.split()
    assert (split >= 0.0).all()
    assert not ((split > 0.0) & (split < 1e-6)).any(), "an arm gets some traffic or none"
    assert split.sum() == pytest.approx(1.0)
    assert shares.canary <= MOST_CANARY
    assert shares.canary == Shares.of(weight, applied, extended=False).canary


def test_an_extended_baseline_gets_twice_its_share_as_far_as_there_is_traffic():
    assert Shares.of(0.1, 1.0, extended=True) == Shares(0.1, 0.2)
    assert Shares.of(0.6, 1.0, extended=True) == Shares(0.6, 0.4)
    assert Shares.of(0.2, 1.5, extended=False) == Shares(pytest.approx(0.3), 0.2)


def test_before_minute_0_the_stable_arm_has_all_the_traffic():
    past = rollout_of().counters(-HISTORY, 0)
    for values in past.values():
        assert np.isnan(values[:, [CANARY, BASELINE]]).all()
        assert not np.isnan(values[:, STABLE]).any()


def test_poisson_traffic_has_its_mean_and_variance():
    requests = sampled()["requests"]
    assert requests.mean(axis=0) == pytest.approx([500, 500, 1_000], rel=0.01)
    assert requests.var(axis=0) == pytest.approx([500, 500, 1_000], rel=0.1)


def test_dispersed_traffic_is_negative_binomial():
    requests = sampled(with_("load", dispersion=20.0))["requests"]
    mean = np.array([500.0, 500.0, 1_000.0])
    assert requests.mean(axis=0) == pytest.approx(mean, rel=0.02)
    assert requests.var(axis=0) == pytest.approx(mean + mean**2 / 20.0, rel=0.1)


def test_counts_are_binomial_in_their_requests():
    counters = sampled()
    for name, rate in (("errors", 0.01), ("downstream_errors", 0.01), ("conversion", 0.03)):
        events, requests = counters[name][:, STABLE], counters["requests"][:, STABLE]
        scatter = (events - rate * requests) / np.sqrt(requests * rate * (1 - rate))
        assert scatter.mean() == pytest.approx(0.0, abs=0.06), name
        assert scatter.std() == pytest.approx(1.0, abs=0.05), name
    members = counters["segment_requests"].sum() / counters["requests"].sum()
    assert members == pytest.approx(0.3, abs=0.005)
    assert (counters["segment_errors"] <= counters["errors"]).all()


@pytest.mark.parametrize(("name", "q"), [("latency_p50", 0.5), ("latency_p99", 0.99)])
def test_a_shown_quantile_is_the_order_statistic_of_its_requests(name, q):
    calm = replace(CALM, load=replace(CALM.load, rpm=240.0), service=replace(CALM.service, slow_share=0.0))
    counters = sampled(calm)
    requests, shown = counters["requests"][:, CANARY].astype(int), counters[name][:, CANARY]
    level = stats.norm.cdf(np.log(shown / 100.0) / 0.4)
    rank = np.ceil(q * requests)
    uniform = stats.binom.sf(rank - 1, requests, level)  # P(at least `rank` of n uniforms are below the level)
    assert stats.kstest(uniform, "uniform").pvalue > 0.001


def test_the_slow_path_lifts_the_tail_and_not_the_median():
    quick, slow = sampled(with_("service", slow_share=0.0)), sampled(with_("service", slow_share=0.05))
    ratio = {name: np.median(slow[name]) / np.median(quick[name]) for name in ("latency_p50", "latency_p99")}
    assert ratio["latency_p50"] < 1.08
    assert ratio["latency_p99"] > 1.8


def test_few_requests_scatter_a_quantile_more():
    few, many = sampled(with_("load", rpm=40.0)), sampled(with_("load", rpm=4_000.0))
    assert np.nanstd(np.log(few["latency_p50"])) > 5 * np.nanstd(np.log(many["latency_p50"]))


def test_a_minute_without_requests_has_counts_of_0_and_no_latency():
    counters = sampled(with_("load", rpm=2.0), seeds=4)
    empty = counters["requests"] == 0
    assert empty.any()
    assert (counters["errors"][empty] == 0).all()
    assert np.isnan(counters["latency_p50"][empty]).all()


@pytest.mark.parametrize(
    ("carrier", "metric", "factor"),
    [
        ("errors", "errors", 4.0),
        ("downstream", "downstream_errors", 4.0),
        ("conversion", "conversion", 0.25),
        ("body", "latency_p50", 4.0),
    ],
)
def test_a_regression_moves_its_carrier_in_the_canary_alone(carrier, metric, factor):
    counters = sampled(replace(CALM, regression=Regression("step", {carrier: 4.0}, bad=True)), seeds=10)
    canary, baseline = np.nanmean(counters[metric][:, [CANARY, BASELINE]], axis=0)
    assert canary / baseline == pytest.approx(factor, rel=0.1)
    others = {"errors", "downstream_errors", "conversion", "latency_p50"} - {metric}
    for other in others:
        first, second = np.nanmean(counters[other][:, [CANARY, BASELINE]], axis=0)
        assert first / second == pytest.approx(1.0, rel=0.05), other


def test_a_segments_regression_hits_its_members_alone():
    counters = sampled(replace(CALM, regression=Regression("step", {"segment": 5.0}, bad=True)), seeds=10)
    rate = counters["segment_errors"].sum(axis=0) / counters["segment_requests"].sum(axis=0)
    assert rate == pytest.approx([0.05, 0.01, 0.01], rel=0.12)
    others = counters["errors"] - counters["segment_errors"]
    outside = others.sum(axis=0) / (counters["requests"] - counters["segment_requests"]).sum(axis=0)
    assert outside == pytest.approx([0.01] * 3, rel=0.12)


def test_a_cliff_is_felt_above_its_load():
    world = replace(CALM, regression=Regression("cliff", {"errors": 8.0}, headroom=0.3, bad=True))
    for canary, ratio in ((0.25, 1.0), (0.35, 8.0)):
        errors = sampled(world, Shares(canary, 0.25), seeds=6)
        rates = errors["errors"].sum(axis=0) / errors["requests"].sum(axis=0)
        assert rates[CANARY] / rates[STABLE] == pytest.approx(ratio, rel=0.1)


def test_processor_time_says_at_any_weight_what_all_traffic_will_do():
    world = replace(CALM, regression=Regression(headroom=0.5))
    cpu = sampled(world, Shares(0.1, 0.1), seeds=6)["cpu"].mean(axis=0)
    assert cpu == pytest.approx([100 * FULL_CPU * 0.1 / 0.5, 100 * FULL_CPU * 0.1 / 2.0, 50.0], rel=0.02)
    assert sampled(world, Shares(0.9, 0.1), seeds=1)["cpu"][:, CANARY].max() == 100.0


@pytest.mark.parametrize(("settles", "late"), [(False, 1.0 + 0.5 * 120 / 40), (True, 1.5)])
def test_memory_grows_with_age_or_levels_off(settles, late):
    world = replace(CALM, regression=Regression(memory=0.5, memory_minutes=40.0, memory_settles=settles))
    rollout = rollout_of(world)
    rollout.run(world.deadline, HALF)
    memory = rollout.counters(115, 125)["memory"].mean(axis=0) / 800.0
    assert memory == pytest.approx([late, 1.0, 1.0], rel=0.03)


def test_time_stops_where_the_world_ends():
    rollout = rollout_of()
    rollout.run(10_000, HALF)
    end = rollout.minute
    rollout.run(5, HALF)
    assert rollout.minute == end == CALM.deadline + SLACK


def test_the_same_streams_give_the_same_bytes_however_time_is_cut():
    whole, again = rollout_of(seed=3), rollout_of(seed=3)
    for rollout in (whole, again):
        rollout.run(16, HALF)
    assert whole.samples(-HISTORY, 16).tobytes() == again.samples(-HISTORY, 16).tobytes()
    assert rollout_of(seed=4).samples(-HISTORY, 0).tobytes() != whole.samples(-HISTORY, 0).tobytes()


def test_rates_never_pass_their_cap():
    world = replace(with_("service", error_rate=0.5), regression=Regression("step", {"errors": 8.0}, bad=True))
    counters = sampled(world, seeds=2)
    assert counters["errors"][:, CANARY].sum() / counters["requests"][:, CANARY].sum() == pytest.approx(0.9, abs=0.01)


def test_infinite_dispersion_is_the_default_of_the_calm_world():
    assert math.isinf(CALM.load.dispersion)
