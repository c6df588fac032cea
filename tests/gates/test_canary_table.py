"""The table of lessons: 0 is the best constant policy of the mix, 1 the reference, and some lessons separate nobody."""

import numpy as np
import pytest

from tests.gates.canary_policies import CONSTANT
from tests.gates.canary_table import markdown, rows_of


@pytest.fixture
def rows():
    utilities = {name: np.array([0.0, 0.2, 0.9, 0.9]) for name in CONSTANT}
    utilities |= {"always-rollback": np.array([0.9, -0.7, 0.9, -0.7]), "bayes": np.array([0.9, 0.9, 0.95, 0.95])}
    return {(row.lesson, row.supervisor): row for row in rows_of(utilities, ("f01-one", "f02-two"))}


def test_the_reference_is_one_and_the_best_constant_policy_nought_over_the_mix(rows):
    assert rows["all", "bayes"].normalised == pytest.approx(1.0)
    assert max(rows["all", name].normalised for name in CONSTANT) == pytest.approx(0.0)


def test_a_lesson_in_which_a_constant_policy_does_as_well_is_not_separable(rows):
    assert rows["f01-one", "bayes"].separable
    assert not rows["f02-two", "bayes"].separable


def test_regret_is_what_the_clairvoyant_has_more(rows):
    assert rows["f01-one", "bayes"].regret == pytest.approx((0.9 + 0.2) / 2 - 0.9)


def test_the_table_has_a_line_a_lesson_and_says_which_separate_nobody(rows):
    lines = markdown(list(rows.values())).splitlines()

    assert lines[0].startswith("| lesson | bayes |")
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["all", "f01-one", "f02-two (not separable)"]
