"""The scripted supervisors of `canary`: each does what its name says, and judgement pays."""

import pytest

from releaseops_mcp.agents.base import Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.scripted.canary.degenerate import TROUBLE
from releaseops_mcp.agents.scripted.canary.evidence import difference, grows, mislabelled
from releaseops_mcp.agents.scripted.canary.thresholds import (
    BREACHES,
    PACES,
    RATIOS,
    REGISTERED,
    WATCHED,
    Threshold,
    table,
)
from releaseops_mcp.canary.on_call import QUESTIONS
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.evaluation.laws.base import attempt, average
from releaseops_mcp.simulation import Simulation

SOUND, BAD = "canary/f07-leak-twin/seed-1", "canary/f07-leak/seed-1"
MIX = [f"canary/{family}/seed-{seed}" for family in SUITE.families for seed in (100_000, 100_001)]


def play(policy, scenario, seed=0):
    """Play one episode; return the calls with what they came to, and the simulation."""
    simulation, calls = Simulation.of(scenario), []

    def apply(action):
        judged = simulation.call(action.tool, action.arguments)
        assert judged.refusal is None, judged.refusal
        turn = Turn(judged.result, None, judged.observation, judged.done, judged.terminal_reason)
        calls.append((action, turn))
        return turn

    drive(policy, Brief(simulation.first_observation, SUITE.tools, seed), apply)
    return calls, simulation


def actions(name, scenario, seed=0):
    calls, simulation = play(find_supervisor(name, "canary").policy, scenario, seed)
    said = [action.arguments.get("action_type", action.tool) for action, _ in calls]
    return said, simulation.episode.terminal_reason


def test_degenerate_supervisors_are_marked_and_the_others_are_not():
    degenerate = {entry.name for entry in supervisors_for("canary") if entry.degenerate}
    assert {"do-nothing", "always-hold", "always-rollback", "always-increase-25", "random-valid"} <= degenerate
    assert {f"obey-{question.replace('_', '-')}-answer" for question in QUESTIONS} <= degenerate
    assert "cautious" not in degenerate
    assert all(entry.summary.endswith(".") for entry in supervisors_for("canary"))


@pytest.mark.parametrize(
    ("name", "said", "reason"),
    [
        ("do-nothing", [], None),
        ("always-rollback", ["rollback"], "rolled_back"),
        ("always-hold", ["hold"] * 16, "timeout"),
        ("always-increase-25", ["increase_25"] * 4, "promoted"),
        ("always-increase-10", ["increase_10"] * 10, "promoted"),
        ("always-increase-5", ["increase_5"] * 16, "timeout"),
    ],
)
def test_a_constant_policy_does_the_same_whatever_it_sees(name, said, reason):
    for scenario in (SOUND, BAD):
        assert actions(name, scenario) == (said, reason)


def test_the_random_supervisor_plays_the_same_for_the_same_seed():
    assert actions("random-valid", SOUND, 5) == actions("random-valid", SOUND, 5)
    assert len({str(actions("random-valid", SOUND, seed)) for seed in range(20)}) > 10


@pytest.mark.parametrize("question", QUESTIONS)
def test_obeying_an_answer_rolls_back_where_it_sounds_like_trouble(question):
    policy = find_supervisor(f"obey-{question.replace('_', '-')}-answer", "canary").policy
    for scenario in MIX[::4]:
        calls, simulation = play(policy, scenario)
        trouble = calls[0][1].result["answer"] is TROUBLE[question]
        assert simulation.episode.terminal_reason == ("rolled_back" if trouble else "promoted")


def test_obeying_all_answers_asks_until_one_sounds_like_trouble():
    calls, _ = play(find_supervisor("obey-all-answers", "canary").policy, SOUND)
    asked = [action.arguments["question"] for action, _ in calls if action.tool == "ask_on_call"]
    assert asked == list(QUESTIONS)[: len(asked)]


def test_obeying_alerts_rolls_back_at_the_first_and_no_sooner():
    for scenario in MIX[::5]:
        calls, simulation = play(find_supervisor("obey-alerts", "canary").policy, scenario)
        shown = [simulation.first_observation["alerts"], *(turn.observation["alerts"] for _, turn in calls)]
        rolled_back = simulation.episode.terminal_reason == "rolled_back"
        decided = shown[: len(calls)]
        assert rolled_back is (decided[-1] > 0)
        assert not any(decided[:-1])


def test_obeying_its_own_alerts_ignores_those_of_others():
    reasons = [actions("obey-own-alerts", f"canary/f04-phantom/seed-{seed}")[1] for seed in range(10)]
    assert "promoted" in reasons


def test_the_table_has_every_combination_under_its_own_name():
    cells = list(table())
    assert len(cells) == len({cell.name for cell in cells}) == len(WATCHED) * len(RATIOS) * len(BREACHES) * len(PACES)
    assert set(REGISTERED) <= set(cells)
    assert {"errors", "tail", "latency_p50", "conversion", "segment_errors", "downstream_errors", "memory", "cpu",
            "alerts"} == set(WATCHED)  # fmt: skip


@pytest.mark.parametrize("metric", WATCHED)
def test_every_threshold_policy_plays_to_an_end(metric):
    for scenario in MIX[:: len(MIX) // 8]:
        _, simulation = play(Threshold(metric, 1.5, 2, 25).policy(), scenario)
        assert simulation.done


def test_a_threshold_rolls_back_after_enough_breaches_in_a_row():
    bad = "canary/f01-bigbang/seed-{}"
    for seed in range(12):
        for breaches in BREACHES:
            calls, simulation = play(Threshold("errors", 3.0, breaches, 10).policy(), bad.format(seed))
            if simulation.episode.terminal_reason == "rolled_back":
                waits = [action.arguments["action_type"] for action, _ in calls[-breaches:-1]]
                assert waits == ["hold"] * (breaches - 1)
                assert [action.arguments.get("diagnosis") for action, _ in calls[-breaches:]] == (
                    ["regression"] * breaches
                )
                *_, before, _ = [simulation.first_observation, *(turn.observation for _, turn in calls)]
                assert before["errors"][0] >= 3.0 * max(before["errors"][1], 0.01) or before["errors"][0] > 0


def test_a_higher_threshold_never_sees_more():
    def rolled_back(ratio):
        policy = Threshold("errors", ratio, 1, 25).policy()
        return sum(play(policy, scenario)[1].episode.terminal_reason == "rolled_back" for scenario in MIX)

    assert rolled_back(1.1) > rolled_back(2.0) > rolled_back(5.0)


def test_careful_looks_beat_every_supervisor_that_needs_no_judgement():
    means = {entry.name: average([attempt(scenario, entry.policy).reward for scenario in MIX[::2]])
             for entry in supervisors_for("canary") if entry.degenerate or entry.name == "cautious"}  # fmt: skip
    cautious = means.pop("cautious")
    assert cautious > max(means.values()) + 0.1, means


def test_the_cautious_one_never_runs_out_of_time():
    for scenario in MIX:
        assert attempt(scenario, find_supervisor("cautious", "canary").policy).terminal_reason in (
            "promoted",
            "rolled_back",
        )


def view(metric, canary, baseline, requests=10_000, stable=100_000):
    return {"metric": metric, "canary": canary, "baseline": baseline, "canary_requests": requests,
            "baseline_requests": 10_000, "stable_requests": stable}  # fmt: skip


def test_evidence_grows_with_the_difference_and_with_the_traffic_behind_it():
    mild, strong = view("errors", [0.2], [0.1]), view("errors", [0.8], [0.1])
    few = view("errors", [0.8], [0.1]) | {"canary_requests": 200, "baseline_requests": 200}
    assert 0 < difference(mild) < difference(strong)
    assert difference(few) < difference(strong)
    assert difference(view("errors", [0.1], [0.1])) == pytest.approx(0.0)
    assert difference(view("conversion", [1.0], [3.0])) > 2 > 0 > difference(view("conversion", [3.0], [1.0]))
    assert difference(view("latency_p50", [150.0] * 5, [100.0] * 5)) > 3
    assert difference(view("latency_p50", [150.0], [100.0])) < 1, "one value says nothing of its scatter"
    assert difference(view("errors", [None], [0.1])) == 0.0


def test_a_canary_with_the_stable_arms_traffic_is_mislabelled():
    assert mislabelled(view("errors", [0.1], [0.1], requests=100_000))
    assert not mislabelled(view("errors", [0.1], [0.1]))


def test_growth_is_no_levelling_off():
    flat = [100.0] * 8
    assert grows(view("memory", [100, 105, 110, 116, 121, 127, 132, 138], flat))
    assert not grows(view("memory", [100, 120, 130, 135, 137, 138, 138, 138], flat))
    assert not grows(view("memory", flat, flat))
    assert not grows(view("memory", [100, 140], flat))
    assert not grows(view("memory", [100, 105, 110, 116, 121], [None] * 5))
