"""A run that cannot learn is refused, and one that collapses is stopped."""

import pytest

from training.guards import Limits, Watch
from training.refusals import TrainingRefused

FINE = {
    "reward": 0.5,
    "reward_std": 0.2,
    "frac_reward_zero_std": 0.25,
    "tools/call_frequency": 3.0,
    "entropy": 0.8,
}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"tools/call_frequency": 0.0}, "no rollout called a tool"),
        ({"reward_std": 0.0}, "every rollout earned the same reward"),
        ({"frac_reward_zero_std": 1.0}, "no group has any spread"),
    ],
)
def test_a_fault_that_lasts_refuses_the_run(fault, message):
    watch = Watch(Limits(patience=3))
    assert watch.see(FINE | fault) is None
    assert watch.see(FINE | fault) is None
    with pytest.raises(TrainingRefused, match=f"refused after 3 steps: {message}"):
        watch.see(FINE | fault)


def test_a_fault_that_passes_does_not():
    watch = Watch(Limits(patience=2))
    for _ in range(4):
        assert watch.see(FINE | {"reward_std": 0.0}) is None
        assert watch.see(FINE) is None


def test_entropy_that_stays_low_stops_the_run():
    watch = Watch(Limits(patience=2, min_entropy=0.1))
    assert watch.see(FINE | {"entropy": 0.05}) is None
    assert "entropy collapse: 0.0500" in watch.see(FINE | {"entropy": 0.05})


def test_reward_that_falls_far_below_its_best_stops_the_run():
    watch = Watch(Limits(window=2, max_drop=1.0))
    for reward in (0.5, 0.6, 0.5, 0.55):
        assert watch.see(FINE | {"reward": reward}) is None
    assert watch.see(FINE | {"reward": 0.2}) is None
    assert "reward collapse: 0.2000 over 2 steps" in watch.see(FINE | {"reward": 0.2})


def test_figures_that_a_step_does_not_have_are_no_fault():
    watch = Watch(Limits(patience=1))
    assert watch.see({"reward": 0.1, "reward_std": 0.1}) is None
    assert watch.see({"loss": 1.0}) is None
