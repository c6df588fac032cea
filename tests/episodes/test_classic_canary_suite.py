"""Scenario ids, the tool, and what an episode does with good, bad and late calls."""

import os
import subprocess
import sys

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_canary import SUITE
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.errors import UnknownScenario
from releaseops_mcp.simulation import Simulation

GOOD = {
    "action_type": "increase_10",
    "reasoning": "the metrics are sound",
    "slo_breach_detected": False,
    "state_assessment": "healthy",
}


def begin(scenario_id="classic-canary/easy/seed-0"):
    return SUITE.begin(SUITE.parse(scenario_id))


@pytest.mark.parametrize("seed", ["0", "7", "-5", "9" * 18, "-" + "9" * 18])
def test_a_canonical_id_is_parsed(seed):
    scenario = SUITE.parse(f"classic-canary/recovery/seed-{seed}")
    assert (scenario.family, scenario.level, scenario.seed) == ("recovery", "hard", int(seed))
    assert scenario.id == f"classic-canary/recovery/seed-{seed}"


@pytest.mark.parametrize(
    "scenario_id",
    [
        "classic-canary",
        "classic-canary/easy",
        "classic-canary/easy/seed-",
        "classic-canary/easy/seed-00",
        "classic-canary/easy/seed--0",
        "classic-canary/easy/seed-+1",
        "classic-canary/easy/seed-1.5",
        "classic-canary/easy/seed-" + "9" * 19,
        "classic-canary/easy/seed-0\n",
        "classic-canary/easy/seed-٣",
        "classic-canary/Easy/seed-0",
        "classic-canary/nightmare/seed-0",
        "classic-canary/easy/seed-\ud800",
        "canary/easy/seed-0",
        "x" * 10_000,
    ],
)
def test_any_other_id_is_unknown_and_the_message_shows_the_form(scenario_id):
    with pytest.raises(UnknownScenario) as caught:
        SUITE.parse(scenario_id)
    assert "classic-canary/<task>/seed-<n>" in caught.value.message
    assert "easy, medium, hard, expert, recovery, silent" in caught.value.message
    assert len(caught.value.message.encode()) < 1000


def test_the_registry_finds_the_suite():
    assert suite_of("classic-canary/easy/seed-0") is SUITE
    assert SUITE.parse(SUITE.default_scenario).seed == 0
    assert SUITE.open_ids


def test_grid_goes_task_by_task():
    ids = list(SUITE.grid(range(-1, 1)))
    assert ids[:3] == ["classic-canary/easy/seed--1", "classic-canary/easy/seed-0", "classic-canary/medium/seed--1"]
    assert len(ids) == 12


def test_splits_are_fixed_lists_of_scenarios_that_exist():
    splits = SUITE.splits()
    assert splits["published"] == tuple(SUITE.grid(range(1)))
    assert len(set(splits["sweep"])) == 48
    assert all(SUITE.parse(scenario_id).id == scenario_id for ids in splits.values() for scenario_id in ids)


def test_the_one_tool_advertises_four_required_flat_arguments():
    (tool,) = SUITE.tools
    schema = tool.json_schema()
    assert tool.name == "decide_rollout"
    assert (tool.destructive, tool.read_only) == (True, False)
    assert schema["required"] == ["action_type", "reasoning", "slo_breach_detected", "state_assessment"]
    assert schema["properties"]["reasoning"]["minLength"] == 15


def test_texts_name_the_guardrails_and_the_tool_but_no_task():
    for name in ("rollback_on_error_rate", "rollback_on_canary_p99_ms", "rollback_on_differential_p99_ms"):
        assert name in SUITE.policy
    assert "decide_rollout" in SUITE.briefing
    hidden = ("seed", "expert", "recovery window", "0.0035", "180")
    assert not any(word in SUITE.policy + SUITE.briefing for word in hidden)


def test_a_decision_is_applied_and_says_nothing_about_its_grade():
    episode = begin()
    outcome = episode.call("decide_rollout", GOOD)
    assert outcome.result == {"action_type": "increase_10", "applied": True, "decision_number": 1}
    assert outcome.refusal is None
    assert episode.observe()["traffic_pct"] == 0.1


def test_an_observation_is_a_fresh_object_of_thirteen_fields():
    episode = begin()
    first = episode.observe()
    assert len(first) == 13
    first["traffic_pct"] = 0.7
    assert episode.observe()["traffic_pct"] == 0.0


@pytest.mark.parametrize("flag", [True, "yes", "true", "1", 1, 1.0, "on"])
def test_the_flag_is_read_leniently(flag):
    simulation = Simulation.of("classic-canary/easy/seed-0")
    judged = simulation.call("decide_rollout", GOOD | {"slo_breach_detected": flag})
    assert judged.refusal is None
    assert judged.earned.detail["reward_breakdown"]["reasoning_score"] == 0.07
    assert simulation.tally.report()["transcript"][0]["action"]["slo_breach_detected"] is True


def test_metadata_is_accepted_and_kept_out_of_the_transcript():
    simulation = Simulation.of("classic-canary/easy/seed-0")
    simulation.call("decide_rollout", GOOD | {"metadata": {"trace": [1, {"deep": None}]}})
    assert simulation.tally.report()["transcript"][0]["action"] == GOOD


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"action_type": "increase_50"}, "action_type must be one of increase_5, increase_10"),
        ({"reasoning": "x" * 14}, "reasoning must be a string of at least 15 characters"),
        ({"reasoning": None}, "not None"),
        ({"reasoning": "\ud800" * 20}, "reasoning must be a string"),
        ({"slo_breach_detected": "perhaps"}, "slo_breach_detected must be a boolean, not 'perhaps'"),
        ({"state_assessment": []}, "state_assessment must be one of healthy, warning"),
        ({"traffic": 1}, "'traffic' is no argument"),
        ({"\ud800": 1}, "is no argument"),
        ({"metadata": 3}, "metadata must be an object"),
    ],
)
def test_a_bad_argument_is_named_with_what_is_allowed(change, expected):
    episode = begin()
    outcome = episode.call("decide_rollout", GOOD | change)
    assert outcome.refusal.code == "invalid_argument"
    assert expected in outcome.refusal.message
    assert "pydantic" not in outcome.refusal.message
    assert outcome.refusal.message.isascii()
    assert episode.observe() == begin().observe()


def test_every_bad_field_is_named_at_once_and_values_are_cut():
    message = begin().call("decide_rollout", {"action_type": "y" * 5000, "state_assessment": 3}).refusal.message
    for name in ("action_type", "reasoning is missing", "slo_breach_detected is missing", "state_assessment"):
        assert name in message
    assert len(message) < 800


def test_a_flood_of_unknown_arguments_gives_a_short_message():
    message = begin().call("decide_rollout", {f"field_{n}": n for n in range(500)}).refusal.message
    assert "more problems" in message
    assert len(message) < 1500


def test_arguments_that_are_no_object_are_refused():
    outcome = begin().call("decide_rollout", canonical.plain(["increase_10"]))
    assert outcome.refusal.message.startswith("the arguments must be an object")


def test_another_tool_is_refused():
    assert begin().call("deploy", GOOD).refusal.code == "unknown_tool"


def test_refusals_are_neither_scored_nor_recorded():
    simulation = Simulation.of("classic-canary/easy/seed-0")
    for tool, arguments in (("decide_rollout", {}), ("deploy", GOOD)):
        judged = simulation.call(tool, arguments)
        assert (judged.earned.reward, judged.observation) == (0.0, simulation.first_observation)
    assert simulation.tally.report()["transcript"] == []


def test_a_call_after_the_end_is_answered_with_the_unchanged_observation_and_earns_nothing():
    simulation = Simulation.of("classic-canary/easy/seed-0")
    ended = simulation.call("decide_rollout", GOOD | {"action_type": "rollback"})
    report = simulation.tally.report()
    late = simulation.call("decide_rollout", GOOD)
    assert late.result == {"action_type": "increase_10", "applied": False, "decision_number": 1}
    assert late.observation == ended.observation
    assert (late.earned.reward, late.done, late.terminal_reason) == (0.0, True, "rollback")
    assert simulation.tally.report() == report


def test_bad_arguments_are_refused_after_the_end_too():
    episode = begin()
    episode.call("decide_rollout", GOOD | {"action_type": "rollback"})
    assert episode.call("decide_rollout", {}).refusal.code == "invalid_argument"


def test_closing_ends_the_episode_without_a_reason_and_later_calls_earn_nothing():
    simulation = Simulation.of("classic-canary/easy/seed-0")
    simulation.call("decide_rollout", GOOD)
    simulation.episode.close()
    late = simulation.call("decide_rollout", GOOD)
    assert (late.done, late.terminal_reason, late.result["applied"]) == (True, None, False)
    assert simulation.score().total == 0.97
    assert simulation.score().metrics["outcome"] == "in_progress"


def test_truth_is_small_and_the_world_hash_tells_worlds_apart():
    ids = list(SUITE.grid(range(-6, 7)))
    episodes = [begin(scenario_id) for scenario_id in ids]
    assert max(len(canonical.dumps(episode.truth())) for episode in episodes) < 8000
    assert len({episode.world_hash for episode in episodes}) == len(ids)
    again = begin()
    assert begin().world_hash == again.world_hash == again.world_hash


PROGRAM = """
from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_canary import SUITE
from releaseops_mcp.simulation import Simulation
seen = []
for scenario_id in SUITE.grid(range(-2, 5)):
    simulation = Simulation.of(scenario_id)
    for action in ("increase_10", "increase_10", "increase_10", "hold", "increase_5", "hold", "rollback"):
        judged = simulation.call("decide_rollout", {"action_type": action, "reasoning": "determinism test",
            "slo_breach_detected": False, "state_assessment": "healthy"})
        seen.append([judged.observation, judged.earned.reward])
    seen.append([simulation.episode.world_hash, simulation.tally.report()])
print(canonical.digest(seen))
"""


def test_another_process_with_another_hash_seed_plays_the_same():
    digests = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "4242")
    }
    assert len(digests) == 1
