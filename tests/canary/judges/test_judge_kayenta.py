"""The judge that compares whole samples by rank: its rules, its score, and the faults that it is known for."""

import numpy as np
import pytest

from releaseops_mcp.canary.judges import Comparison, Series, Verdict, find_judge
from releaseops_mcp.canary.judges.kayenta import Kayenta
from tests.canary.judges.conftest import NAN, finding, one

SPREAD = [float(value) for value in range(60)]


def kayenta(**parameters: object) -> Kayenta:
    judge = find_judge("kayenta-like", parameters)
    assert isinstance(judge, Kayenta)
    return judge


def label(comparison: Comparison, **parameters: object) -> str:
    """The class of the only metric."""
    return kayenta(**parameters).classify(comparison.series[0])[0]


def scored(*outcomes: str, **parameters: object) -> Verdict:
    """The verdict over metrics named a, b, c ... that each come to what is given."""
    made = {
        "Pass": (SPREAD, SPREAD),
        "High": ([value + 500.0 for value in SPREAD], SPREAD),
        "Nodata": ([NAN] * 60, SPREAD),
    }
    series = tuple(Series.of(name, *made[outcome]) for name, outcome in zip("abcdefghij", outcomes, strict=False))
    return kayenta(**parameters).judge(Comparison(series=series))


def test_a_shift_beyond_its_allowance_is_high_or_low_by_which_is_worse():
    up, down = [value + 100.0 for value in SPREAD], [value / 10.0 for value in SPREAD]

    assert label(one(up, SPREAD)) == "High"
    assert label(one(up, SPREAD, higher_is_worse=False)) == "Pass"
    assert label(one(down, SPREAD)) == "Pass"
    assert label(one(down, SPREAD, higher_is_worse=False)) == "Low"


@pytest.mark.parametrize(("allowed", "expected"), [(1.05, "High"), (1.15, "Pass")])
def test_an_increase_within_the_allowed_effect_passes(allowed, expected):
    baseline = [100.0 + value / 60.0 for value in range(60)]

    assert label(one([value * 1.1 for value in baseline], baseline), allowed=allowed) == expected


@pytest.mark.parametrize(("allowed", "expected"), [(1.11, "Low"), (1.25, "Pass")])
def test_a_decrease_mirrors_the_allowed_increase(allowed, expected):
    """The canary has 7 / 8 of the values: 1 / 1.11 is passed, 1 / 1.25 is not."""
    baseline = [100.0 + value / 60.0 for value in range(60)]
    comparison = one([value * 0.875 for value in baseline], baseline, higher_is_worse=False)

    assert label(comparison, allowed=allowed) == expected


def test_the_effect_may_be_the_chance_that_a_canary_value_is_larger():
    comparison = one([value + 20.0 for value in SPREAD], SPREAD)
    _, figures = kayenta(effect="cles").classify(comparison.series[0])

    assert figures["effect"] == pytest.approx((60 * 60 - 40 * 40 / 2) / 3600, abs=0.01)
    assert label(comparison, effect="cles", allowed=0.7) == "High"
    assert label(comparison, effect="cles", allowed=0.9) == "Pass"


@pytest.mark.parametrize("values", [SPREAD, [5.0] * 60, [0.0] * 60])
def test_equal_and_constant_samples_pass(values):
    assert label(one(values, values)) == "Pass"
    assert label(one(values[:30], values[:30])) == "Pass"


def test_two_different_constants_differ():
    assert label(one([5.0] * 60, [4.0] * 60)) == "High"


def test_no_data_is_no_data_unless_missing_values_are_zeros():
    nothing = one([NAN] * 60, SPREAD)

    assert label(nothing) == "Nodata"
    assert label(one([], []), missing="replace") == "Pass"
    assert label(one([NAN] * 60, [NAN] * 60), missing="replace") == "Pass"
    assert label(nothing, missing="replace") == "Pass"
    assert label(one(SPREAD, [NAN] * 60), missing="replace", zero_control="judge") == "High"


def test_missing_values_are_left_out_of_either_sample():
    holed = [NAN if bucket % 3 == 0 else value + 100.0 for bucket, value in enumerate(SPREAD)]

    judged, figures = kayenta().classify(one(holed, SPREAD).series[0])

    assert judged == "High"
    assert figures["canary_points"] == 40


def test_outliers_are_removed_only_where_it_is_asked_for():
    spiky = [*SPREAD[:58], 9e6, 9e6]
    _, kept = kayenta().classify(one(spiky, SPREAD).series[0])
    _, removed = kayenta(outliers="remove").classify(one(spiky, SPREAD).series[0])

    assert kept["canary_points"] == 60
    assert removed["canary_points"] == 58


def test_the_score_is_the_weighted_share_of_passes():
    assert scored("Pass", "Pass", "Pass", "High").figures["score"] == 75.0
    assert scored("Pass", "High", weights={"a": 3.0}).figures["score"] == 75.0
    assert scored("Pass", "Pass").sentence == "pass, score 100: no metric is worse than allowed"


def test_thresholds_divide_pass_marginal_and_fail():
    assert scored("Pass", "Pass", "Pass", "High").outcome == "inconclusive"
    assert scored("Pass", "Pass", "Pass", "High", pass_score=70.0).outcome == "pass"
    assert scored("Pass", "Pass", "High").outcome == "fail"
    assert scored("Pass", "Pass", "High", marginal_score=60.0).outcome == "inconclusive"


def test_a_critical_metric_that_does_not_pass_brings_the_score_to_zero():
    rest = ["Pass"] * 9

    assert scored("High", *rest).outcome == "inconclusive"
    assert scored("High", *rest, critical=["a"]).figures["score"] == 0.0
    assert scored("Nodata", *rest, critical=["a"]).outcome == "fail"
    assert scored("High", *rest, critical=["b"]).figures["score"] == 90.0


def test_metrics_without_data_are_left_out_of_the_score_until_they_are_half():
    few = scored("Nodata", "Pass", "Pass")
    half = scored("Nodata", "Pass")

    assert few.figures["score"] == 100.0
    assert few.outcome == "pass"
    assert half.outcome == "fail"


def test_few_points_are_pointed_out():
    assert "weak" in finding(kayenta(), one(SPREAD[:30], SPREAD[:30])).reason
    assert "weak" not in finding(kayenta(), one(SPREAD, SPREAD)).reason


def test_known_fault_a_baseline_of_zeros_lets_any_canary_pass(rng):
    errors, zeros = rng.poisson(3.0, 60).astype(float), np.zeros(60)

    assert label(one(errors, zeros)) == "Pass"
    assert label(one(errors, zeros), zero_control="judge") == "High"
    assert label(one(zeros, zeros), zero_control="judge") == "Pass"


def test_known_fault_sparse_errors_are_never_seen(rng):
    passed = [label(one(rng.poisson(0.5, 60), np.zeros(60)), zero_control="judge") == "Pass" for _ in range(50)]

    assert all(passed)


def test_known_fault_a_wider_spread_passes(rng):
    calm, wild = rng.normal(100.0, 1.0, 60), rng.normal(100.0, 30.0, 60)

    assert label(one(wild, calm), allowed=1.1) == "Pass"


def test_known_fault_of_ten_points_seven_may_be_a_hundredfold(rng):
    baseline = rng.normal(1.0, 0.01, 10)
    canary = np.concatenate([rng.normal(100.0, 1.0, 7), rng.normal(1.0, 0.01, 3)])

    assert label(one(canary, baseline)) == "Pass"


def test_known_fault_a_slow_tail_is_mostly_missed(rng):
    """A quarter of the points four times as slow raises the mean by three quarters."""
    flagged = []
    for _ in range(60):
        canary, baseline = rng.lognormal(0.0, 0.15, (2, 60))
        canary[:15] *= 4.0
        flagged.append(label(one(rng.permutation(canary), baseline), allowed=1.1) == "High")

    assert np.mean(flagged) <= 0.5


def autocorrelated(rng: np.random.Generator, phi: float, points: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """An AR(1) with standard deviation 1."""
    noise = rng.standard_normal(points + 50) * np.sqrt(1.0 - phi**2)
    for at in range(1, points + 50):
        noise[at] += phi * noise[at - 1]
    return noise[50:]


@pytest.mark.parametrize(
    ("points", "phi", "increase", "low", "high"),
    [
        (60, 0.0, 1.0, 0.0, 0.02),
        (60, 0.0, 1.1, 0.36, 0.60),
        (60, 0.0, 1.25, 0.97, 1.0),
        (30, 0.9, 1.0, 0.12, 0.28),
        (60, 0.9, 1.0, 0.10, 0.28),
        (60, 0.9, 1.25, 0.75, 0.95),
    ],
)
def test_it_fails_canaries_as_often_as_an_independent_prototype_did(rng, points, phi, increase, low, high):
    failed = np.mean(
        [
            label(
                one(
                    increase * np.exp(0.15 * autocorrelated(rng, phi, points)),
                    np.exp(0.15 * autocorrelated(rng, phi, points)),
                ),
                allowed=1.1,
            )
            == "High"
            for _ in range(250)
        ]
    )

    assert low <= failed <= high
