"""The group-sequential judge: its bounds against published and scipy's figures, and its error over all looks."""

import math

import numpy as np
import pytest
from scipy import stats

from releaseops_mcp.canary.judges import find_judge
from releaseops_mcp.canary.judges.boundaries import obrien_fleming, spent
from tests.canary.judges.conftest import NAN, counted, finding, one

QUARTERS = [0.25, 0.5, 0.75, 1.0]


def test_bounds_of_five_equal_looks_are_the_published_ones():
    """Lan and DeMets' O'Brien-Fleming spending, one-sided .025, as textbooks tabulate them."""
    fifths = [0.2, 0.4, 0.6, 0.8, 1.0]

    assert obrien_fleming(0.025, fifths, fifths) == pytest.approx((4.877, 3.357, 2.680, 2.290, 2.031), abs=2e-3)


def test_one_look_is_the_plain_test():
    assert obrien_fleming(0.05, [1.0], [7.0])[0] == pytest.approx(stats.norm.ppf(0.95), abs=1e-4)


@pytest.mark.parametrize("information", [[3.0, 9.0], [1.0, 1.5]])
def test_two_looks_agree_with_scipys_bivariate_normal(information):
    first, second = obrien_fleming(0.05, [0.5, 1.0], information)
    correlation = math.sqrt(information[0] / information[1])
    both_below = stats.multivariate_normal([0.0, 0.0], [[1.0, correlation], [correlation, 1.0]]).cdf([first, second])

    assert stats.norm.sf(first) == pytest.approx(spent(0.05, np.array([0.5]))[0], abs=1e-5)
    assert 1.0 - both_below == pytest.approx(0.05, abs=2e-4)


def test_the_whole_error_is_spent_at_the_end_and_little_before():
    shares = spent(0.05, np.array([0.0, *QUARTERS, 1.3]))

    assert shares[0] == 0.0
    assert (np.diff(shares[:-1]) > 0.0).all()
    assert shares[1] < 0.001
    assert shares[-2:] == pytest.approx([0.05, 0.05])


def test_bounds_do_not_depend_on_the_unit_of_information():
    assert obrien_fleming(0.05, QUARTERS, QUARTERS) == pytest.approx(
        obrien_fleming(0.05, QUARTERS, [4_000.0 * each for each in QUARTERS])
    )


def test_a_test_that_goes_on_keeps_its_earlier_bounds():
    assert obrien_fleming(0.05, QUARTERS[:3], QUARTERS[:3]) == obrien_fleming(0.05, QUARTERS, QUARTERS)[:3]


def test_paths_without_drift_cross_as_often_as_they_may(rng):
    information = np.array([0.1, 0.4, 0.5, 1.0])
    steps = rng.standard_normal((40_000, 4)) * np.sqrt(np.diff(information, prepend=0.0))
    z = steps.cumsum(axis=1) / np.sqrt(information)

    crossed = (z >= np.array(obrien_fleming(0.05, QUARTERS, list(information)))).any(axis=1).mean()

    assert crossed == pytest.approx(0.05, abs=0.004)


@pytest.mark.parametrize(("ratio", "least", "most"), [(1.0, 0.0, 0.01), (1.25, 0.005, 0.08), (2.5, 0.95, 1.0)])
def test_the_chance_of_failing_over_all_looks_is_kept(rng, ratio, least, most):
    judge = find_judge("group-sequential")
    failed = 0
    for _ in range(150):
        level = 0.005 * np.exp(np.cumsum(rng.normal(0.0, 0.1, 60)))
        totals = rng.poisson(600, (2, 60))
        canary, baseline = rng.binomial(totals, np.minimum(level * [[ratio], [1.0]], 0.2))
        failed += finding(judge, counted((canary, totals[0]), (baseline, totals[1]))).outcome == "fail"

    assert least <= failed / 150 <= most


@pytest.mark.parametrize(("phi", "most"), [(0.0, 0.1), (0.8, 0.2)])
def test_levels_are_compared_with_their_own_spread_and_memory(rng, phi, most):
    """Measured over 300 runs: 5 % and 13 %."""
    judge = find_judge("group-sequential", {"margin": 1.0, "harm": 1.3})
    failed = 0
    for _ in range(150):
        noise = rng.normal(0.0, 0.1, (2, 80))
        for at in range(1, 80):
            noise[:, at] += phi * noise[:, at - 1]
        failed += finding(judge, one(*np.exp(noise))).outcome == "fail"

    assert failed / 150 <= most


def test_a_slower_canary_fails_and_an_equal_one_passes(rng):
    judge = find_judge("group-sequential", {"margin": 1.1, "harm": 1.4})
    slow, same = rng.lognormal(0.5, 0.1, 60), rng.lognormal(0.0, 0.1, 60)
    baseline = rng.lognormal(0.0, 0.1, 60)

    assert finding(judge, one(slow, baseline)).outcome == "fail"
    assert finding(judge, one(same, baseline)).outcome == "pass"


def test_it_waits_within_a_longer_horizon():
    """Harm that a finished plan would call does not suffice at an early look."""
    totals = [1_000] * 10
    comparison = counted(([4] * 10, totals), ([2] * 10, totals))

    done = finding(find_judge("group-sequential", {"margin": 1.0, "looks": 1}), comparison)
    early = finding(find_judge("group-sequential", {"margin": 1.0, "looks": 8, "horizon": 80}), comparison)

    assert done.outcome == "fail"
    assert early.outcome == "inconclusive"


def test_before_its_first_look_it_decides_nothing():
    judge = find_judge("group-sequential", {"horizon": 80, "looks": 4})

    found = finding(judge, counted(([50] * 19, [100] * 19), ([1] * 19, [100] * 19)))

    assert found.outcome == "inconclusive"
    assert found.figures["looks"] == 0


def test_looks_that_add_nothing_are_left_out():
    totals = [1_000] * 8
    silent = counted(([4, 5, 6, 5, 0, 0, 0, 0], totals), ([5, 5, 5, 5, 0, 0, 0, 0], totals))

    trace = finding(find_judge("group-sequential"), silent).trace

    assert trace is not None
    assert [math.isnan(bound) for bound in trace.bound[3:]] == [False, True, True, True, True]


def test_missing_and_zero_levels_are_left_out(rng):
    values = rng.lognormal(0.0, 0.1, (2, 60))
    values[0, ::7], values[1, ::11] = NAN, 0.0

    assert finding(find_judge("group-sequential"), one(*values)).outcome == "pass"
