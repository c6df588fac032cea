"""What is shown of the truth: late, rounded, with gaps, and wrong in the ways that real dashboards are."""

from dataclasses import replace

import numpy as np
import pytest

from releaseops_mcp.canary.dashboards import FIRST_SHARE, RESET_MINUTES
from releaseops_mcp.canary.latents import HISTORY
from releaseops_mcp.canary.metrics import BASELINE, CANARY, METRICS, STABLE
from releaseops_mcp.canary.traffic import Shares
from tests.canary.worlds import CALM, running, with_

RATED = [name for name, metric in METRICS.items() if metric.per is not None]


def true_values(rollout, name, start, end):
    counters, per = rollout.counters(start, end), METRICS[name].per
    values = counters[name] if per is None else 100.0 * counters[name] / counters[per]
    return np.round(values, METRICS[name].digits)


@pytest.mark.parametrize("name", METRICS)
def test_a_faultless_dashboard_shows_the_rounded_truth_up_to_its_lag(name):
    rollout, dashboard = running(with_("faults", lag=3))
    assert dashboard.newest == 16
    shown = dashboard.series(name, -HISTORY, 100)
    assert len(shown) == HISTORY + 17
    np.testing.assert_array_equal(shown[:-1], true_values(rollout, name, -HISTORY, 16))


def test_of_the_newest_minute_only_part_of_the_traffic_has_arrived():
    rollout, dashboard = running()
    truth = rollout.counters(dashboard.newest, dashboard.newest + 1)["requests"]
    (newest,) = dashboard.series("requests", dashboard.newest, dashboard.newest + 1)
    np.testing.assert_array_equal(newest, np.rint(truth[0] * FIRST_SHARE))
    rollout.run(1, Shares(0.2, 0.2))
    np.testing.assert_array_equal(dashboard.series("requests", 18, 19), truth)


def test_nothing_is_shown_of_the_canary_before_its_first_minute_has_arrived():
    for minutes in range(4):
        _, dashboard = running(with_("faults", lag=3), minutes=minutes)
        assert np.isnan(dashboard.window("errors", 0, minutes)).all()
        assert np.isnan(dashboard.series("errors", -10, minutes)[:, CANARY]).all()


@pytest.mark.parametrize(("start", "end"), [(-200, -100), (-40, -35), (50, 60), (5, 5), (9, 3)])
def test_a_window_outside_of_what_is_known_is_empty(start, end):
    _, dashboard = running()
    assert len(dashboard.series("errors", start, end)) == 0
    assert np.isnan(dashboard.window("errors", start, end)).all()


def test_a_windows_share_is_the_ratio_of_sums_and_its_level_the_mean():
    rollout, dashboard = running()
    counters = rollout.counters(2, 12)
    shown = dashboard.windows(("errors", "latency_p50"), 2, 12)
    ratio = 100.0 * counters["errors"].sum(axis=0) / counters["requests"].sum(axis=0)
    assert shown[0] == pytest.approx(ratio, abs=0.002)
    assert shown[1] == pytest.approx(counters["latency_p50"].mean(axis=0), abs=0.1)
    np.testing.assert_array_equal(shown[0], dashboard.window("errors", 2, 12))


def test_missing_minutes_do_not_count_in_a_window():
    rollout, dashboard = running(with_("faults", gap_rate=0.3))
    shown = dashboard.series("latency_p50", 0, 15)
    missing = np.isnan(shown).all(axis=1)
    assert 0 < missing.sum() < 15
    truth = rollout.counters(0, 15)["latency_p50"][~missing]
    assert dashboard.window("latency_p50", 0, 15) == pytest.approx(truth.mean(axis=0), abs=0.1)


def test_gaps_come_at_their_rate_metric_by_metric():
    _, dashboard = running(with_("faults", gap_rate=0.2), minutes=120)
    shares = [np.isnan(dashboard.series(name, 0, 110)[:, STABLE]).mean() for name in METRICS]
    assert np.mean(shares) == pytest.approx(0.2, abs=0.05)
    assert len(set(shares)) > 1


def test_a_mislabelled_query_shows_the_stable_arm_where_the_canary_has_traffic():
    _, dashboard = running(with_("faults", mislabelled=("requests", "errors")))
    for name in ("requests", "errors"):
        shown = dashboard.series(name, -5, 20)
        assert np.isnan(shown[:5, CANARY]).all()
        np.testing.assert_array_equal(shown[5:, CANARY], shown[5:, STABLE])
    latency = dashboard.series("latency_p50", 0, 20)
    assert (latency[:, CANARY] != latency[:, STABLE]).any()


@pytest.mark.parametrize("name", METRICS)
def test_a_stale_series_repeats_the_value_before_it_went_stale(name):
    rollout, dashboard = running(with_("faults", stale=(name, 6, 12)))
    truth = true_values(rollout, name, 5, 6)[0, CANARY]
    shown = dashboard.series(name, 0, 20)
    assert (shown[6:12, CANARY] == truth).all()
    np.testing.assert_array_equal(shown[:18, BASELINE], true_values(rollout, name, 0, 18)[:, BASELINE])


def test_a_series_that_was_never_there_cannot_go_stale():
    rollout, dashboard = running(with_("faults", stale=("latency_p50", 0, 12)))
    np.testing.assert_array_equal(dashboard.series("latency_p50", 0, 12), true_values(rollout, "latency_p50", 0, 12))


def test_after_a_counter_reset_the_canarys_rates_are_missing_for_a_while():
    _, dashboard = running(with_("faults", counter_reset=7))
    for name in METRICS:
        missing = np.flatnonzero(np.isnan(dashboard.series(name, 0, 18)[:, CANARY])).tolist()
        assert missing == (list(range(7, 7 + RESET_MINUTES)) if name in RATED else []), name
        assert not np.isnan(dashboard.series(name, 0, 18)[:, BASELINE]).any()


def test_what_is_shown_does_not_depend_on_when_one_looks():
    world = replace(CALM, faults=replace(CALM.faults, stale=("errors", 5, 14), counter_reset=9, gap_rate=0.1))
    (first, looking), (second, waiting) = running(world, minutes=0), running(world, minutes=0)
    for _ in range(20):
        first.run(1, Shares(0.2, 0.2))
        second.run(1, Shares(0.2, 0.2))
        looking.windows(tuple(METRICS), 0, 100)
    for name in METRICS:
        np.testing.assert_array_equal(looking.series(name, -30, 99), waiting.series(name, -30, 99))


def test_a_view_is_a_copy():
    _, dashboard = running()
    dashboard.series("errors", 0, 10)[:] = 99.0
    assert dashboard.series("errors", 0, 10).max() < 99.0
