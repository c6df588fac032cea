"""The rank test's estimate and interval, against scipy and against counting by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from releaseops_mcp.canary.judges.ranks import exact_quantile, shift
from releaseops_mcp.canary.judges.samples import filled, without_outliers
from tests.canary.judges.conftest import NAN

samples = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=30).map(np.array)


def test_a_case_that_can_be_done_by_hand():
    """Differences: 2 1 / 5 4 / 9 8. With 2 against 3 values nothing can be skipped at 98 %."""
    moved = shift(np.array([3.0, 6.0, 10.0]), np.array([1.0, 2.0]), 0.98)

    assert moved.estimate == 4.5
    assert (moved.low, moved.high) == (1.0, 9.0)
    assert moved.superiority == 1.0


@pytest.mark.parametrize(("first", "second"), [(3, 4), (5, 5), (6, 2)])
def test_the_exact_distribution_counts_every_order(first, second):
    ranks = range(1, first + second + 1)
    u = [sum(chosen) - first * (first + 1) / 2 for chosen in itertools.combinations(ranks, first)]

    for probability in (0.01, 0.05, 0.25, 0.5, 0.9):
        smallest = min(value for value in u if np.mean(np.array(u) <= value) >= probability)
        assert exact_quantile(first, second, probability) == smallest


@pytest.mark.parametrize("confidence", [0.9, 0.98])
@pytest.mark.parametrize(("sizes", "digits"), [((12, 9), None), ((60, 60), 1), ((60, 60), None)])
def test_the_interval_holds_just_those_shifts_that_scipy_does_not_reject(rng, confidence, sizes, digits):
    first, second = (rng.normal(mean, 1.0, size) for mean, size in zip((0.8, 0.0), sizes, strict=True))
    if digits is not None:
        first, second = first.round(digits), second.round(digits)
    moved = shift(first, second, confidence)
    method = "exact" if digits is None and max(sizes) < 50 else "asymptotic"

    def p_value(distance: float) -> float:
        return float(stats.mannwhitneyu(first - distance, second, method=method).pvalue)

    nudge = 1e-6 if digits is None else 10.0**-digits
    assert p_value(moved.low + nudge) >= 1.0 - confidence > p_value(moved.low - nudge) * 0.8
    assert p_value(moved.high - nudge) >= 1.0 - confidence > p_value(moved.high + nudge) * 0.8


def test_superiority_is_scipys_statistic_over_all_pairs(rng):
    first, second = rng.poisson(3.0, 40).astype(float), rng.poisson(2.0, 30).astype(float)

    moved = shift(first, second, 0.98)

    assert moved.superiority == pytest.approx(stats.mannwhitneyu(first, second).statistic / (40 * 30))


@given(samples, samples)
def test_exchanging_the_samples_mirrors_everything(first, second):
    there, back = shift(first, second, 0.98), shift(second, first, 0.98)

    assert (there.estimate, there.low, there.high) == (-back.estimate, -back.high, -back.low)
    assert there.superiority == pytest.approx(1.0 - back.superiority)


@given(samples, samples, st.integers(-50, 50).map(float))
def test_moving_one_sample_moves_the_estimate_by_as_much(first, second, distance):
    assert shift(first + distance, second, 0.98).estimate == shift(first, second, 0.98).estimate + distance


@given(samples, samples)
def test_order_within_a_sample_does_not_matter_and_the_estimate_lies_within(first, second):
    moved = shift(first, second, 0.98)

    assert shift(first[::-1], np.sort(second), 0.98) == moved
    assert moved.low <= moved.estimate <= moved.high


def test_two_equal_samples_are_not_shifted():
    moved = shift(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), 0.98)

    assert moved.estimate == 0.0
    assert moved.low <= 0.0 <= moved.high
    assert moved.superiority == 0.5


def test_the_interval_covers_the_truth_as_often_as_it_says(rng):
    covered = [
        (lambda moved: moved.low <= 0.5 <= moved.high)(shift(rng.normal(0.5, 1.0, 20), rng.normal(0.0, 1.0, 20), 0.9))
        for _ in range(800)
    ]

    assert 0.88 <= np.mean(covered) <= 0.94


def test_missing_values_are_left_out_or_put_at_zero():
    values = np.array([1.0, NAN, 3.0, np.inf])

    assert filled(values, "remove").tolist() == [1.0, 3.0]
    assert filled(values, "replace").tolist() == [1.0, 0.0, 3.0, 0.0]


def test_outliers_are_what_lies_far_outside_the_quartiles():
    tame = np.arange(20.0)

    assert without_outliers(tame, 3.0).tolist() == tame.tolist()
    assert without_outliers(np.append(tame, 500.0), 3.0).tolist() == tame.tolist()
    assert without_outliers(np.array([]), 3.0).size == 0
