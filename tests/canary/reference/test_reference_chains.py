"""The noise that is integrated out: likelihoods against brute force, and states that forget."""

import math

import numpy as np
import pytest

from releaseops_mcp.canary.reference.chains import Chain, logistic_normal

GRID = np.linspace(-8.0, 8.0, 8_001)


@pytest.mark.parametrize(("events", "total"), [(0, 0), (0, 3), (2, 3), (9, 30), (180, 300)])
@pytest.mark.parametrize(("log_odds", "mean", "variance"), [(0.0, 0.0, 0.05), (1.2, -0.3, 0.3), (-2.0, 0.4, 0.8)])
def test_a_counts_likelihood_is_the_integral_over_the_noise(events, total, log_odds, mean, variance):
    eta = log_odds + GRID
    density = np.exp(-0.5 * (GRID - mean) ** 2 / variance) / math.sqrt(2 * math.pi * variance)
    product = np.exp(events * eta - total * np.logaddexp(0.0, eta)) * density
    integral = np.trapezoid(product, GRID)
    expected_state = np.trapezoid(product * GRID, GRID) / integral

    likely, state, left = logistic_normal(events, total, np.array([log_odds]), np.array([mean]), np.array([variance]))

    assert likely[0] == pytest.approx(math.log(integral), abs=0.06)
    assert state[0] == pytest.approx(expected_state, abs=0.12)
    assert left[0] <= variance + 1e-12


def test_a_level_updates_like_a_normal_prior_with_a_normal_look():
    chain = Chain.fresh(np.array([0.09]))

    chain.level(0.0, np.array([0.6]), np.array([0.03]))

    assert chain.mean[0] == pytest.approx(0.6 * 0.09 / 0.12)
    assert chain.variance[0] == pytest.approx(0.09 * 0.03 / 0.12)


def test_a_chain_forgets_towards_what_it_started_with():
    chain = Chain.fresh(np.array([0.09]))
    chain.level(0.0, np.array([0.6]), np.array([0.001]))

    mean, variance = chain.ahead(200.0)

    assert mean[0] == pytest.approx(0.0, abs=1e-6)
    assert variance[0] == pytest.approx(0.09, abs=1e-6)


def test_what_obeys_no_hypothesis_rules_none_out():
    chain = Chain.fresh(np.array([0.01, 0.01]))

    likely = chain.level(0.0, np.array([9.0, 3.0]), np.array([0.001, 0.001]))

    assert abs(likely[0] - likely[1]) < 1.0


def test_the_hypothesis_that_fits_is_more_likely():
    chain = Chain.fresh(np.full(2, 0.02))

    likely = chain.count(5.0, 80, 100, np.array([0.0, math.log(4.0)]))

    assert likely[1] - likely[0] > 3.0
