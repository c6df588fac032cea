"""Training sees no held-out scenario, whoever asks."""

import pytest

from releaseops_mcp.episodes.registry import suites
from training.splits import HeldOut, held_out, trainable


def part_of(scenario_id: str) -> str | None:
    return held_out(suites()[scenario_id.partition("/")[0]].parse(scenario_id))


def test_the_lists_of_classic_gate_say_what_is_held_out():
    splits = suites()["classic-gate"].splits()
    assert not any(part_of(scenario) for scenario in splits["train"])
    assert all(part_of(scenario) for scenario in splits["eval"] if scenario not in splits["train"])


def test_a_family_that_training_never_shows_is_held_out_at_any_seed():
    assert part_of("classic-gate/release_manager_ship_before_evidence/medium/seed-1") == "eval_unseen"
    assert part_of("classic-gate/careful_qa_safe/low/seed-1") is None


def test_a_whole_column_of_constants_is_held_out_of_classic_canary():
    assert [bool(part_of(f"classic-canary/silent/seed-{seed}")) for seed in range(6)] == [False, False, True] * 2


def test_canary_holds_out_two_families_with_their_twins_and_the_seeds_of_other_parameters():
    assert part_of("canary/f10-relapse-twin/seed-1") == part_of("canary/f18-chain/seed-1") == "held-out families"
    assert part_of("canary/f01-bigbang/seed-200000") == "held-out"
    assert part_of("canary/f01-bigbang/seed-299999") == "held-out"
    assert part_of("canary/f10-relapse/seed-300000") == part_of("canary/f01-bigbang/seed-900000000") == "stress"
    assert part_of("canary/f01-bigbang/seed-1") is None
    assert part_of("canary/f01-bigbang/seed-100001") is None  # for development


def test_gate_holds_out_the_seeds_of_its_lists_whatever_the_list_shows():
    lists = suites()["gate"].splits()
    assert part_of(lists["train"][0]) is part_of(lists["dev"][0]) is None
    assert (part_of(lists["pairs"][0]), part_of(lists["stream"][0])) == ("pairs", "stream")
    assert part_of(lists["train"][0].rpartition("-")[0] + "-30000") == "stream"
    assert part_of("gate/gen-medical-3/clean/level-1/seed-900000") == "held-out-seeds"


def test_gate_holds_out_kinds_organisations_and_combinations_at_any_seed():
    assert part_of("gate/cedarline/k03-weak-assertion-twin/level-1/seed-0") == "held-out-kinds"
    assert part_of("gate/mossgate/clean/level-1/seed-0") == "held-out-orgs"
    assert part_of("gate/cedarline/k01-skipped-test/level-4/seed-0") == "held-out-combinations"
    assert part_of("gate/cedarline/k01-skipped-test/level-3/seed-0") is None
    with pytest.raises(HeldOut, match=r"k03-weak-assertion/level-1/seed-0 is held out \(held-out-kinds of gate\)"):
        trainable("gate/cedarline/k03-weak-assertion/level-1/seed-0")


def test_a_leak_is_refused_by_name():
    with pytest.raises(HeldOut, match=r"classic-canary/easy/seed-2 is held out \(seed-2-mod-3 of classic-canary\)"):
        trainable("classic-canary/easy/seed-2")
    assert trainable("classic-canary/easy/seed-1").seed == 1


def test_no_listed_rollout_of_a_test_may_be_trained_on():
    for name in ("held-out", "stress"):
        assert {part_of(scenario) for scenario in suites()["canary"].splits()[name]} == {name}
    with pytest.raises(HeldOut, match="is held out \\(stress of canary\\)"):
        trainable("canary/f01-bigbang/seed-300001")


def test_a_list_for_training_wins_over_another_one(installed):
    assert part_of("arms/bandit/seed-99") is None
    assert part_of("arms/bandit/seed-100") == "test"
    assert part_of("arms/bandit/seed-999") is None
