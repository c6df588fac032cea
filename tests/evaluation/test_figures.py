"""pass^k, calibration and paired differences: the formulas, on figures worked out by hand."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from releaseops_mcp.evaluation.calibration import Calibration
from releaseops_mcp.evaluation.paired import Difference, paired
from releaseops_mcp.evaluation.passes import Tries, pass_at_1, pass_hat
from releaseops_mcp.evaluation.statistics import Cluster


def compared(ours: dict[str, float], theirs: dict[str, float]) -> Difference:
    return paired(
        {name: Cluster(figure, 1) for name, figure in ours.items()},
        {name: Cluster(figure, 1) for name, figure in theirs.items()},
        suite="s",
        agent="new",
        other="old",
        family="all",
    )


def test_pass_at_1_weighs_episodes_and_pass_hat_scenarios() -> None:
    tries = {"a": Tries(4, 4), "b": Tries(4, 2), "c": Tries(4, 0)}

    assert pass_at_1(tries) == 0.5
    assert pass_hat(tries) == pytest.approx({"1": 0.5, "2": (1 + 1 / 6) / 3, "3": 1 / 3, "4": 1 / 3})


def test_nothing_played_has_no_pass_rate() -> None:
    assert pass_at_1({}) is None
    assert pass_hat({}) == {}


@given(st.lists(st.booleans(), min_size=1, max_size=7))
def test_pass_hat_is_the_share_of_choices_of_k_tries_that_all_passed(came: list[bool]) -> None:
    found = pass_hat({"a": Tries(len(came), sum(came))})

    for k in range(1, len(came) + 1):
        choices = list(combinations(came, k))
        assert found[str(k)] == pytest.approx(sum(map(all, choices)) / len(choices))


def test_the_brier_score_and_its_bins() -> None:
    calibration = Calibration()
    for confidence, right in ((1.0, True), (0.95, False), (0.0, False), (0.5, True)):
        calibration.add(confidence, right)

    assert calibration.brier == pytest.approx((0 + 0.95**2 + 0 + 0.25) / 4)
    assert [(each.decisions, each.confidence, each.right) for each in calibration.bins()] == [
        (1, 0.0, 0.0),
        (1, 0.5, 1.0),
        (2, pytest.approx(0.975), 0.5),
    ]
    assert Calibration().brier is None


def test_a_difference_is_taken_on_the_common_scenarios_alone() -> None:
    ours = {str(seed): 0.5 + seed / 100 for seed in range(8)} | {"mine": -9.0}
    theirs = {str(seed): seed / 100 for seed in range(8)} | {"yours": 9.0}

    found = compared(ours, theirs)

    assert (found.scenarios, found.finding) == (8, "better")
    assert found.difference == pytest.approx(0.5)
    assert found.ci95 == pytest.approx((0.5, 0.5))
    assert found.sentence.startswith("new is really better than old: +0.5000 (95 % interval +0.5000 to +0.5000) on 8 ")


def test_pairing_shows_what_the_spread_between_scenarios_would_hide() -> None:
    theirs = {str(seed): float(seed) for seed in range(20)}
    ours = {name: figure - 0.1 for name, figure in theirs.items()}

    assert compared(ours, theirs).finding == "worse"


@pytest.mark.parametrize(
    ("ours", "theirs", "sentence"),
    [
        ({"a": 1.0}, {"b": 1.0}, "new and old have no scored scenario in common: nothing can be said."),
        ({"a": 1.0}, {"a": 0.0}, "new and old share 1 scenario: too few to tell a difference from chance."),
        (dict.fromkeys("abcde", 1.0), dict.fromkeys("abcde", 0.0), "new and old share 5 scenarios: too few"),
        (
            dict.fromkeys("abcdef", 1.0),
            dict.fromkeys("abcdef", 1.0),
            "No real difference between new and old is shown: +0.0000 (95 % interval +0.0000 to +0.0000)",
        ),
    ],
)
def test_where_nothing_is_shown_the_sentence_says_so(
    ours: dict[str, float], theirs: dict[str, float], sentence: str
) -> None:
    found = compared(ours, theirs)

    assert found.finding == "no difference shown"
    assert found.sentence.startswith(sentence)
