"""The judges that check bucket after bucket: threshold, Argo's way, Flagger's way."""

import numpy as np
import pytest

from releaseops_mcp.canary.judges import Judge, find_judge
from tests.canary.judges.conftest import NAN, finding, one


def absolute(name: str, **parameters: object) -> Judge:
    """A judge that holds values against a fixed limit of 1."""
    return find_judge(name, {"limit": 1.0, "relative": False, **parameters})


def test_threshold_names_the_first_breach():
    found = finding(absolute("threshold"), one([0.5, 1.0, 1.2, 3.0]))

    assert found.outcome == "fail"
    assert found.figures["first_breach"] == 2
    assert "bucket 3" in found.reason


def test_threshold_has_limits_of_single_metrics():
    judge = absolute("threshold", limits={"errors": 5.0})

    assert finding(judge, one([3.0])).outcome == "pass"


def test_threshold_passes_over_missing_values_and_decides_nothing_without_any():
    assert finding(absolute("threshold"), one([NAN, 0.5, NAN])).outcome == "pass"
    assert finding(absolute("threshold"), one([NAN, NAN])).outcome == "inconclusive"


def test_against_an_arm_of_zeros_the_first_error_is_infinitely_worse_and_none_is_the_same():
    judge = find_judge("threshold")

    assert finding(judge, one([0.0, 0.0], [0.0, 0.0])).outcome == "pass"
    assert finding(judge, one([0.0, 0.1], [0.0, 0.0])).outcome == "fail"


def test_argo_tolerates_as_many_failures_as_its_limit_says():
    twice_over = one([2.0, 0.0, 2.0, 0.0])

    assert finding(absolute("argo-like", failure_limit=1), twice_over).outcome == "fail"
    assert finding(absolute("argo-like", failure_limit=2), twice_over).outcome == "pass"


def test_argo_pauses_where_neither_condition_is_met():
    judge = absolute("argo-like", success=0.5)

    assert finding(judge, one([0.4, 0.7])).outcome == "inconclusive"
    assert finding(absolute("argo-like", success=0.5, inconclusive_limit=1), one([0.4, 0.7])).outcome == "pass"
    assert finding(judge, one([0.4, 1.1])).outcome == "fail"


def test_argo_ends_in_an_error_after_too_many_missing_values_in_a_row():
    judge = absolute("argo-like", error_limit=2)

    assert finding(judge, one([NAN, NAN, 0.0, NAN, NAN])).outcome == "pass"
    ended = finding(judge, one([NAN, NAN, 0.0, NAN, NAN, NAN]))
    assert ended.outcome == "fail"
    assert "error" in ended.reason


@pytest.mark.parametrize(
    ("success", "missing", "outcome"),
    [
        (None, "compare", "pass"),
        (0.5, "compare", "inconclusive"),
        (None, "failed", "fail"),
        (None, "inconclusive", "inconclusive"),
        (None, "successful", "pass"),
    ],
)
def test_argo_handles_a_missing_value_as_it_is_told(success, missing, outcome):
    """A bare condition lets nan pass: the known fault that explicit handling mends."""
    judge = absolute("argo-like", success=success, missing=missing)

    assert finding(judge, one([0.0, NAN, 0.0])).outcome == outcome


def test_argo_judges_the_run_as_it_stood_when_it_ended():
    judge = absolute("argo-like", failure_limit=0, success=0.5)

    assert finding(judge, one([0.7, 2.0])).outcome == "inconclusive"


def test_argo_without_any_value_has_no_verdict_yet():
    assert finding(absolute("argo-like"), one([NAN, NAN])).outcome == "inconclusive"


def test_flagger_rolls_back_at_the_threshold_and_good_checks_between_erase_nothing():
    checks = one([2.0, 0.0, 2.0, 0.0, 2.0, 0.0])

    assert finding(absolute("flagger-like", threshold=3), checks).outcome == "fail"
    assert finding(absolute("flagger-like", threshold=4), checks).outcome == "pass"


def test_flagger_halts_while_the_newest_check_failed_or_found_no_values():
    judge = absolute("flagger-like")

    assert finding(judge, one([0.0, 2.0])).outcome == "inconclusive"
    assert finding(judge, one([2.0, 0.0])).outcome == "pass"
    halted = finding(judge, one([0.0, NAN]))
    assert halted.outcome == "inconclusive"
    assert "no values found" in halted.reason


def test_flagger_counts_missing_values_where_it_is_told_to():
    silent = one([NAN] * 5)

    assert finding(absolute("flagger-like"), silent).outcome == "inconclusive"
    assert finding(absolute("flagger-like", no_values_fail=True), silent).outcome == "fail"


@pytest.mark.parametrize(
    ("requests", "first_breach", "three_allowed", "five_failed"),
    [(20, 0.91, 0.21, 0.08), (50, 0.996, 0.83, 0.68), (200, 0.84, 0.12, 0.04), (1_000, 0.002, 0.0, 0.0)],
)
def test_healthy_canaries_are_failed_as_often_as_counting_says(rng, requests, first_breach, three_allowed, five_failed):
    """True rate .2 %, gate over 1 % a minute, 60 minutes; the rates come from an independent prototype."""
    served = np.maximum(rng.poisson(requests, (1_500, 60)), 1)
    rates = rng.binomial(served, 0.002) / served
    gates = (
        (absolute("threshold", limit=0.01), first_breach),
        (absolute("argo-like", limit=0.01, failure_limit=3), three_allowed),
        (absolute("flagger-like", limit=0.01, threshold=5), five_failed),
    )

    for judge, expected in gates:
        failed = np.mean([finding(judge, one(row)).outcome == "fail" for row in rates])
        assert failed == pytest.approx(expected, abs=0.04), judge
