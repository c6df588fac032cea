"""The particles: drawn from the families themselves, resampled fairly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from releaseops_mcp.canary.metrics import BASELINE, CANARY, STABLE
from releaseops_mcp.canary.reference.hypotheses import PER_FAMILY, hypotheses
from releaseops_mcp.canary.reference.particles import ERRORS, Particles, systematic
from releaseops_mcp.canary.scenarios import family_names


@given(arrays(np.float64, st.integers(1, 30), elements=st.floats(0.01, 1.0)), st.integers(1, 200), st.integers(0, 99))
def test_systematic_resampling_takes_each_as_often_as_its_weight_asks_for(weights, count, seed):
    weights = weights / weights.sum()

    chosen = systematic(weights, count, np.random.Generator(np.random.PCG64(seed)))

    taken = np.bincount(chosen, minlength=len(weights))
    assert len(chosen) == count
    assert np.all(np.abs(taken - weights * count) <= 1.0 + 1e-6)


def test_half_of_the_hypotheses_are_bad_and_there_are_at_least_two_thousand():
    worlds = hypotheses(8)

    assert len(worlds) == PER_FAMILY * len(family_names()) >= 2_000
    assert worlds.bad.mean() == 0.5


def test_a_family_with_an_interval_of_its_own_has_no_weight_at_another():
    low = family_names().index("f17-lowtraffic")

    at_eight, at_ten = Particles.prior(hypotheses(8), 60.0), Particles.prior(hypotheses(10), 60.0)

    assert not (at_eight.worlds.family[at_eight.rows] == low).any()
    assert at_ten.weights @ (at_ten.worlds.family[at_ten.rows] == low) > 0.2


def test_a_change_moves_the_canary_alone_and_an_incident_all_arms():
    particles = Particles.prior(hypotheses(8), 5_000.0)
    family = np.array(family_names())[particles.worlds.family[particles.rows]]

    silent = particles.levels(ERRORS, 20, 28, 0.05)[:, family == "f06-silentburn"]
    shared = particles.levels(ERRORS, 0, 100, 0.05)[:, family == "f03-sharedincident"]

    assert np.all(silent[CANARY] > silent[BASELINE])
    assert np.all(silent[STABLE] == 0.0)
    assert np.all(shared[STABLE] > 0.0)
    assert np.allclose(shared[CANARY], shared[BASELINE])


def test_a_cliff_is_there_only_above_its_share_of_the_traffic():
    particles = Particles.prior(hypotheses(8), 5_000.0)
    cliff = particles.worlds.cliff[particles.rows]

    assert np.all(particles.active(0, 8, 0.001)[cliff] == 0.0)
    assert particles.active(0, 8, 0.95)[cliff].mean() > 0.5


def test_resampled_particles_are_of_the_likely_kind_and_weigh_the_same():
    particles = Particles.prior(hypotheses(8), 5_000.0)
    particles.logs = np.where(particles.bad, 0.0, -50.0)

    fresh, rows = particles.resampled(np.random.Generator(np.random.PCG64(3)))

    assert fresh.bad.all()
    assert np.all(fresh.rows == particles.rows[rows])
    assert fresh.effective == pytest.approx(len(fresh))
