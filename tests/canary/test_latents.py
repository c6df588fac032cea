"""What nobody chose: load, shared and own noise, incidents, warm-up."""

from dataclasses import replace

import numpy as np
import pytest

from releaseops_mcp.canary.latents import CARRIERS, HISTORY, SHARE_OF_NOISE, SLACK
from releaseops_mcp.canary.metrics import BASELINE, CANARY, STABLE
from releaseops_mcp.canary.world import Incident
from tests.canary.worlds import CALM, latents, with_

ERRORS, TAIL = CARRIERS.index("errors"), CARRIERS.index("tail")


def noisy(part="noise", worlds=200, **changed):
    return [latents(with_(part, **changed), seed) for seed in range(worlds)]


def test_series_span_the_past_the_rollout_and_some_slack():
    drawn = latents()
    assert drawn.load.shape == (HISTORY + CALM.deadline + SLACK,)
    assert drawn.shared.shape == (*drawn.load.shape, len(CARRIERS))
    assert drawn.own.shape == (*drawn.load.shape, 3, len(CARRIERS))


def test_a_calm_world_is_flat():
    drawn = latents()
    assert (drawn.load == 2_000.0).all()
    assert (drawn.shared == 1.0).all()
    assert (drawn.own == 1.0).all()


def test_shared_noise_has_the_spread_and_the_memory_that_were_asked_for():
    logs = np.log([drawn.shared for drawn in noisy(shared=0.4, shared_phi=0.9)])
    assert logs.std(axis=(0, 1)) == pytest.approx(0.4 * np.array(SHARE_OF_NOISE), rel=0.15)
    series = logs[..., ERRORS]
    assert np.corrcoef(series[:, 1:].ravel(), series[:, :-1].ravel())[0, 1] == pytest.approx(0.9, abs=0.03)


def test_own_noise_is_independent_between_arms_and_a_third_in_the_stable_one():
    logs = np.log([drawn.own for drawn in noisy(own=0.3)])[..., ERRORS]
    assert logs.std(axis=(0, 1)) == pytest.approx([0.3, 0.3, 0.1], rel=0.15)
    assert abs(np.corrcoef(logs[..., CANARY].ravel(), logs[..., BASELINE].ravel())[0, 1]) < 0.1


def test_the_load_follows_the_day_and_never_stops():
    low = latents(with_("load", daily=0.7, half_daily=0.2, phase=0.5))
    high = latents(with_("load", daily=0.7, half_daily=0.2, phase=0.0))
    assert high.load[HISTORY] == pytest.approx(2_000.0 * 1.9)
    assert low.load[HISTORY] == pytest.approx(2_000.0 * 0.5)
    assert latents(with_("load", daily=0.7, weekday=0.6)).load.max() < 0.6 * high.load.max()
    assert latents(with_("load", daily=1.5, phase=0.5)).load.min() == pytest.approx(100.0)


def test_bursts_multiply_the_load_for_some_minutes():
    drawn = latents(with_("load", bursts_per_hour=3.0, burst_factor=2.5))
    assert set(drawn.load.tolist()) == {2_000.0, 5_000.0}


def test_an_incident_hits_all_arms_in_its_carrier_while_it_lasts():
    drawn = latents(replace(CALM, incidents=(Incident(10.0, 20.0, 6.0, "tail"),)))
    assert (drawn.shared[HISTORY + 10 : HISTORY + 30, TAIL] == 6.0).all()
    assert drawn.shared[:, TAIL].sum() == pytest.approx(20 * 6.0 + len(drawn.shared) - 20)
    assert (drawn.shared[:, ERRORS] == 1.0).all()


def test_an_incident_that_does_not_settle_grows_and_stays():
    drawn = latents(replace(CALM, incidents=(Incident(0.0, 40.0, 4.0, "errors", settles=False),)))
    assert drawn.shared[HISTORY + np.array([0, 20, 40, 100]), ERRORS].tolist() == [1.0, 2.0, 4.0, 4.0]
    assert (drawn.shared[:HISTORY, ERRORS] == 1.0).all()


def test_two_incidents_multiply():
    both = (Incident(0.0, 20.0, 2.0, "errors"), Incident(10.0, 20.0, 3.0, "errors"))
    drawn = latents(replace(CALM, incidents=both))
    assert drawn.shared[HISTORY + np.array([5, 15, 25]), ERRORS].tolist() == [2.0, 6.0, 3.0]


def test_fresh_arms_warm_up_and_the_stable_one_is_warm():
    drawn = latents(with_("noise", warm_up=3.0, warm_up_minutes=5.0))
    fresh = drawn.own[HISTORY:, CANARY, ERRORS]
    assert fresh[0] == 4.0
    assert fresh[5] == pytest.approx(1.0 + 3.0 / np.e)
    assert (drawn.own[:, BASELINE] == drawn.own[:, CANARY]).all()
    assert (drawn.own[:, STABLE] == 1.0).all()


def test_series_have_nine_significant_digits():
    drawn = latents(with_("noise", shared=0.4))
    values = drawn.shared.ravel()
    assert [float(f"{value:.9g}") for value in values[:200]] == pytest.approx(values[:200].tolist(), rel=1e-15)
