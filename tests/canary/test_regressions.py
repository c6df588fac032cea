"""How strong a regression is: its shapes, minute by minute."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from releaseops_mcp.canary.regressions import DUTY, severity, strength
from releaseops_mcp.canary.world import Regression

MINUTES = np.arange(0.0, 120.0)
IDLE = np.zeros_like(MINUTES)


def active(shape, load=IDLE, **more):
    return strength(Regression(shape, {"errors": 3.0}, **more), MINUTES, load)


def test_nothing_is_never_active():
    assert not active("none").any()


def test_a_step_begins_at_its_onset_and_stays():
    strong = active("step", onset=7.5)
    assert not strong[:8].any()
    assert (strong[8:] == 1.0).all()


@pytest.mark.parametrize("shape", ["ramp", "leak"])
def test_a_ramp_grows_over_its_minutes_and_stays_full(shape):
    strong = active(shape, onset=10.0, minutes=20.0)
    assert strong[[10, 15, 20, 30, 100]].tolist() == [0.0, 0.25, 0.5, 1.0, 1.0]


def test_a_cliff_is_active_above_its_load_alone():
    load = np.where(MINUTES < 50, 0.3, 0.5)
    strong = active("cliff", load, headroom=0.4)
    assert (strong == (load > 0.4)).all()


def test_a_periodic_one_is_active_for_its_share_of_each_period_from_its_onset():
    strong = active("periodic", onset=10.0, minutes=20.0)
    assert not strong[:10].any()
    assert strong[10:110].mean() == pytest.approx(DUTY, abs=0.01)
    assert (strong[10:30] == strong[30:50]).all()


def test_a_transient_is_full_at_first_and_gone_for_good_after_its_minutes():
    strong = active("transient", minutes=30.0)
    assert strong[:10].tolist() == [1.0] * 10
    assert 0.0 < strong[25] < 1.0
    assert not strong[30:].any()


def test_a_relapse_has_two_bouts_and_a_bad_one_comes_back_to_stay():
    sound, bad = active("relapse", minutes=10.0), active("relapse", minutes=10.0, bad=True)
    assert [sound[minute] for minute in (5, 15, 25, 35, 45, 95)] == [1, 0, 1, 0, 0, 0]
    assert [bad[minute] for minute in (5, 15, 25, 35, 45, 95)] == [1, 0, 1, 0, 1, 1]


@given(st.floats(0.1, 20.0))
def test_severity_is_a_share_that_grows_with_the_risk_ratio(ratio):
    assert 0.0 <= severity(ratio) <= severity(ratio + 0.5) <= 1.0


def test_severity_is_none_at_one_and_full_at_four():
    assert (severity(1.0), severity(2.5), severity(4.0), severity(0.5)) == (0.0, 0.5, 1.0, 0.0)


def test_the_risk_ratio_is_the_worst_effect_of_a_bad_change_and_1_of_a_sound_one():
    effects = {"errors": 3.0, "body": 0.7}
    assert Regression("step", effects, bad=True).risk_ratio == 3.0
    assert Regression("step", effects).risk_ratio == 1.0
    assert Regression().risk_ratio == 1.0
