"""The lists on either side of the line, for every suite that is installed."""

import pytest

from releaseops_mcp.episodes.registry import suites
from training.heldout import (
    families_in_turn,
    held_out_scenarios,
    is_held_out,
    refuse_held_out,
    training_scenarios,
)
from training.splits import HeldOut


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.name)
def test_no_scenario_is_on_both_sides(suite):
    ours, theirs = training_scenarios(suite, 40), held_out_scenarios(suite, 40)

    assert len(set(ours)) == len(set(theirs)) == 40
    assert not any(map(is_held_out, ours))
    assert all(map(is_held_out, theirs))


def test_the_test_list_comes_before_those_for_choosing():
    suite = suites()["canary"]

    assert set(held_out_scenarios(suite, 60)) <= set(suite.splits()["held-out"])


def test_any_first_part_of_a_list_holds_all_families():
    suite = suites()["canary"]
    listed = list(families_in_turn(suite, suite.splits()["held-out"]))

    assert {suite.parse(name).family for name in listed[: len(suite.families)]} == set(suite.families)
    assert sorted(listed) == sorted(suite.splits()["held-out"])


def test_a_held_out_scenario_is_refused_by_name():
    refuse_held_out(["classic-canary/easy/seed-0"])

    with pytest.raises(HeldOut, match="classic-canary/easy/seed-2"):
        refuse_held_out(["classic-canary/easy/seed-0", "classic-canary/easy/seed-2"])


@pytest.mark.parametrize(
    "part", ["held-out-kinds", "held-out-orgs", "held-out-combinations", "held-out-seeds", "stream"]
)
def test_every_held_out_part_of_the_gate_is_refused_by_name(part):
    name = suites()["gate"].splits()[part][0]

    with pytest.raises(HeldOut, match=f"{name} is held out \\({part} of gate\\)"):
        refuse_held_out([name])


def test_what_judges_supervisors_of_the_gate_begins_with_what_is_new_in_a_way_of_its_own():
    suite = suites()["gate"]
    lists = {split: set(names) for split, names in suite.splits().items()}

    found = held_out_scenarios(suite, 20_000)

    assert {split for split, names in lists.items() if names & set(found)} >= {name for name in lists if "held" in name}
    assert not set(found) & (lists["train"] | lists["dev"])
