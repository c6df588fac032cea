"""Judges are found by name, and say which parameters they have."""

import math

import pytest

from releaseops_mcp.canary.judges import Comparison, find_judge, judges
from releaseops_mcp.canary.judges.base import Judge
from releaseops_mcp.errors import InvalidArgument
from tests.canary.judges.conftest import NAN, counted, one

NAMES = ["argo-like", "e-process", "flagger-like", "group-sequential", "kayenta-like", "threshold"]


def test_every_judge_is_registered_and_documents_each_parameter():
    assert list(judges()) == NAMES
    for kind in judges().values():
        assert all(field.description for field in kind.model_fields.values()), kind


def test_an_unknown_judge_is_answered_with_those_that_exist():
    with pytest.raises(InvalidArgument, match=r"'oracle'.*argo-like, e-process"):
        find_judge("oracle")


def test_an_unknown_parameter_is_answered_with_those_that_exist():
    with pytest.raises(InvalidArgument, match=r"colour.*it has margin, harm"):
        find_judge("e-process", {"colour": "red"})


def test_two_judges_of_one_name_are_refused():
    judges()
    with pytest.raises(ValueError, match="two judges are called 'threshold'"):
        type("Second", (Judge,), {"name": "threshold", "__annotations__": {}, "__module__": __name__})


def test_a_judge_that_is_asked_for_harm_within_its_margin_refuses():
    for name in ("e-process", "group-sequential"):
        with pytest.raises(InvalidArgument, match="within the margin"):
            find_judge(name, {"margin": 2.0, "harm": 1.5})


@pytest.mark.parametrize("name", NAMES)
def test_every_judge_fails_a_bad_canary_and_passes_a_good_one(name):
    requests = [2_000] * 60
    normal = [20 + (bucket % 3) for bucket in range(60)]
    shifted = [20 + ((bucket + 1) % 3) for bucket in range(60)]
    bad = [4 * count for count in normal]

    judge = find_judge(name)

    assert judge.judge(counted((bad, requests), (normal, requests))).outcome == "fail"
    assert judge.judge(counted((shifted, requests), (normal, requests))).outcome == "pass"


@pytest.mark.parametrize("name", NAMES)
def test_a_canary_without_any_value_never_passes(name):
    nothing = [0] * 60
    requests = [2_000] * 60

    verdict = find_judge(name).judge(counted((nothing, nothing), (nothing, requests)))

    assert verdict.outcome != "pass"
    assert all(math.isfinite(figure) or math.isnan(figure) for figure in verdict.findings[0].figures.values())


@pytest.mark.parametrize("name", ["threshold", "argo-like", "flagger-like", "kayenta-like", "group-sequential"])
@pytest.mark.parametrize("scale", [1e-3, 1e4])
def test_a_change_of_unit_changes_no_verdict(name, scale, rng):
    canary, baseline = rng.lognormal(0.3, 0.2, (2, 60))
    judge = find_judge(name)

    plain = judge.judge(one(canary, baseline))
    scaled = judge.judge(one(canary * scale, baseline * scale))

    assert plain.outcome == scaled.outcome


@pytest.mark.parametrize("name", ["threshold", "argo-like", "flagger-like", "kayenta-like", "group-sequential"])
def test_less_is_worse_is_the_mirror_of_more_is_worse(name, rng):
    canary, baseline = rng.lognormal(0.0, 0.1, (2, 60)) * [[2.0], [1.0]]
    judge = find_judge(name)

    worse = judge.judge(one(canary, baseline))
    better = judge.judge(one(canary, baseline, higher_is_worse=False))
    mirrored = judge.judge(one(baseline, canary, higher_is_worse=False))

    assert (worse.outcome, better.outcome, mirrored.outcome) == ("fail", "pass", "fail")


@pytest.mark.parametrize("name", ["threshold", "argo-like", "flagger-like", "kayenta-like", "group-sequential"])
def test_comparing_judges_say_which_arm_is_missing(name):
    with pytest.raises(InvalidArgument, match="errors has neither a baseline nor a stable arm"):
        find_judge(name).judge(one([1.0, 2.0]))


@pytest.mark.parametrize("name", NAMES)
def test_one_bad_metric_among_good_ones_is_named(name):
    requests, normal = [2_000] * 60, [20 + (bucket % 3) for bucket in range(60)]
    good = counted((normal, requests), (normal, requests)).series[0]
    bad = counted(([4 * count for count in normal], requests), (normal, requests)).series[0]
    comparison = Comparison(series=(good.model_copy(update={"metric": "checkout"}), bad))

    verdict = find_judge(name).judge(comparison)

    assert verdict.outcome == "fail"
    assert verdict.metrics == ("errors",)
    assert "errors" in verdict.sentence
    assert "checkout" not in verdict.sentence


def test_an_empty_comparison_is_inconclusive_or_refused():
    assert find_judge("threshold").judge(one([NAN], [NAN])).outcome == "inconclusive"
    assert find_judge("group-sequential").judge(one([], [])).outcome == "inconclusive"
