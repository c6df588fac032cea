"""How seeds choose constants, how traffic accumulates, and what masks what."""

import json
from pathlib import Path

import pytest

from releaseops_mcp.episodes.classic_canary import dynamics
from releaseops_mcp.episodes.classic_canary.tables import TABLES, constants_of
from releaseops_mcp.episodes.classic_canary.telemetry import Snapshot, telemetry_of
from releaseops_mcp.errors import VersionMismatch

COLUMNS = json.loads((Path(__file__).parents[1] / "data" / "classic_canary" / "constants.json").read_text())
SEEDS_BY_COLUMN = ((0,), (1, 4, 100, -2, -5), (2, 5, 17, -1, -4), (3, 6, 12345, -3, -6))


@pytest.mark.parametrize("task", COLUMNS)
@pytest.mark.parametrize("column", range(4))
def test_constants_are_those_of_the_published_column(task, column):
    for seed in SEEDS_BY_COLUMN[column]:
        chosen = constants_of(task, seed)
        for name, published in COLUMNS[task].items():
            assert chosen[name] == pytest.approx(published[column], rel=1e-12), (seed, name)


def test_every_constant_is_covered_but_those_that_depend_on_the_silent_kind():
    uncovered = {(task, name) for task in TABLES for name in TABLES[task] if name not in COLUMNS[task]}
    assert {task for task, _ in uncovered} == {"silent"}
    assert {name for _, name in uncovered if "error" not in name} == {"breach_traffic", "severe_traffic", "lag_steps"}


SILENT_PROFILES = {  # seed: breach, severe, lag, mixed
    0: (0.40, 0.50, 1, False),
    1: (0.40, 0.50, 1, True),
    2: (0.45, 0.55, 1, False),
    3: (0.50, 0.60, 2, True),
    4: (0.40, 0.50, 2, True),
    -1: (0.50, 0.60, 2, True),
    -2: (0.45, 0.55, 1, False),
    -3: (0.40, 0.50, 1, True),
    -4: (0.40, 0.50, 2, True),
    12: (0.40, 0.50, 2, True),
}


@pytest.mark.parametrize("seed", SILENT_PROFILES)
def test_silent_profiles_follow_the_seed_modulo_four(seed):
    chosen = constants_of("silent", seed)
    breach, severe, lag, mixed = SILENT_PROFILES[seed]
    assert (chosen["breach_traffic"], chosen["severe_traffic"], chosen["lag_steps"]) == (breach, severe, lag)
    assert chosen["warning_error_per_step"] == (0.0004 if mixed else 0.00015)
    assert chosen["breach_error_per_traffic"] == (0.020 if mixed else 0.006)
    assert chosen["severe_error_per_step"] == (0.0005 if mixed else 0.0002)
    base = 0.0026 if mixed else 0.0018
    shift = 0.0 if seed == 0 else {1: -0.0002, 2: 0.0002, 0: 0.0}[seed % 3]
    assert chosen["warning_error"] == base + shift


@pytest.mark.parametrize("task", ["easy", "medium", "hard", "expert", "recovery"])
def test_all_but_silent_depend_on_the_seed_modulo_three_only(task):
    for seed in range(1, 10):
        assert constants_of(task, seed) == constants_of(task, seed + 3) == constants_of(task, seed - 300)


def accumulate(action_type, times):
    position = dynamics.START
    for _ in range(times):
        position = dynamics.move(position, action_type)
    return position


def test_ten_promotions_by_ten_do_not_complete_the_rollout():
    tenth = accumulate("increase_10", 10)
    assert tenth.traffic == 0.9999999999999999
    assert not tenth.ended
    eleventh = dynamics.move(tenth, "increase_10")
    assert (eleventh.traffic, eleventh.ended, dynamics.outcome(eleventh)) == (1.0, True, "success")


def test_eight_promotions_by_five_stay_below_forty_percent():
    assert accumulate("increase_5", 8).traffic == 0.39999999999999997


def test_holds_count_until_an_increase():
    held = dynamics.move(dynamics.move(dynamics.START, "hold"), "hold")
    assert held.holds == 2
    assert dynamics.move(held, "increase_5").holds == 0


def test_a_rollback_as_the_twelfth_decision_is_called_max_steps_reached():
    last = dynamics.move(accumulate("hold", 11), "rollback")
    assert dynamics.outcome(last) == "max_steps_reached"
    assert dynamics.outcome(dynamics.move(accumulate("hold", 10), "rollback")) == "rollback"


def test_shared_noise_masks_a_breach_at_its_step():
    hard = telemetry_of("hard", constants_of("hard", 0))
    assert hard.snapshot(0.5, 3) == Snapshot(0.001, 186.0, 0.001, 186.0, 0)
    assert hard.snapshot(0.5, 2).alerts == 1


def test_a_phantom_masks_a_breach_at_its_step():
    expert = telemetry_of("expert", constants_of("expert", 0))
    assert expert.snapshot(0.5, 2) == Snapshot(0.0018, 146.0, 0.001, 140.0, 4)
    assert expert.snapshot(0.5, 3).canary_error > 0.005


@pytest.mark.parametrize("task", ["recovery", "silent"])
def test_recovery_and_silent_never_alert(task):
    for seed in range(-12, 13):
        telemetry = telemetry_of(task, constants_of(task, seed))
        assert not any(telemetry.snapshot(x / 20, n).alerts for x in range(21) for n in range(13))


def test_constants_of_another_model_are_refused():
    with pytest.raises(VersionMismatch, match="telemetry model '2'"):
        telemetry_of("easy", constants_of("easy", 0), "2")
