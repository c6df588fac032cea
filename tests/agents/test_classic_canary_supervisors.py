"""The scripted canary supervisors reproduce the original's figures and decisions."""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest

from releaseops_mcp.agents.base import Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.scripted import classic_canary_policies, classic_canary_predicates
from releaseops_mcp.simulation import Simulation

DATA = Path(__file__).parents[1] / "data" / "classic_canary"
TASKS = ("easy", "medium", "hard", "expert", "recovery", "silent")
SWEEP = (0, 3, 5, 7, 11, 13, 19, 23)


def simulate(name, task, seed, brief_seed=0):
    """Play one episode; return the simulation and the actions taken."""
    simulation = Simulation.of(f"classic-canary/{task}/seed-{seed}")
    taken = []

    def apply(action):
        taken.append(action.arguments)
        judged = simulation.call(action.tool, action.arguments)
        assert judged.refusal is None
        return Turn(judged.result, None, judged.observation, judged.done, judged.terminal_reason)

    brief = Brief(simulation.first_observation, simulation.suite.tools, brief_seed)
    assert drive(find_supervisor(name, "classic-canary").policy, brief, apply)
    return simulation, taken


@cache
def score(name, task, seed):
    return simulate(name, task, seed)[0].score().total


def mean(values):
    return sum(values) / len(values)


SEED_0 = {
    "baseline": (0.9567, 0.8460, 0.8217, 0.6967, 0.9109, 0.8360),
    "cautious": (0.9567, 0.9300, 0.9350, 0.9550, 0.9592, 0.9500),
    "aggressive": (0.7450, 0.6567, 0.6567, 0.7075, 0.7862, 0.6833),
}
SEED_0_AVERAGE = {"baseline": 0.8447, "cautious": 0.9476, "aggressive": 0.7059}
SWEEPS = {
    "baseline": (0.9546, 0.9388, 0.8222, 0.7052, 0.9035, 0.7697),
    "cautious": (0.9546, 0.9598, 0.9331, 0.9591, 0.9578, 0.9385),
    "aggressive": (0.7450, 0.6567, 0.6195, 0.6971, 0.7761, 0.6833),
}
SWEEP_AVERAGE = {"baseline": 0.8490, "cautious": 0.9505, "aggressive": 0.6963}


@pytest.mark.parametrize("name", SEED_0)
def test_the_published_figures_at_seed_0(name):
    scores = tuple(score(name, task, 0) for task in TASKS)
    assert scores == SEED_0[name]
    assert round(mean(scores), 4) == SEED_0_AVERAGE[name]


@pytest.mark.parametrize("name", SWEEPS)
def test_the_published_figures_of_the_seed_sweep(name):
    by_task = tuple(round(mean([score(name, task, seed) for seed in SWEEP]), 4) for task in TASKS)
    assert by_task == SWEEPS[name]
    assert round(mean(by_task), 4) == SWEEP_AVERAGE[name]


def test_cautious_over_two_hundred_seeds():
    scores = [score("cautious", task, seed) for task in TASKS for seed in range(200)]
    assert round(mean(scores), 4) == 0.9489


def test_the_policies_take_the_recorded_decisions():
    """Ten of the recorded episodes stop early: their decisions are the first ones of ours."""
    decisions = 0
    with gzip.open(DATA / "canary_traces.jsonl.gz", "rt") as lines:
        for line in lines:
            trace = json.loads(line)
            if trace["policy"] not in SEED_0:
                continue
            _, taken = simulate(trace["policy"], trace["task"], trace["seed"])
            keys = ("action_type", "slo_breach_detected", "state_assessment")
            if not trace["complete"]:
                taken = taken[: trace["n_steps"]]
            ours, recorded = ([[entry[key] for key in keys] for entry in run] for run in (taken, trace["actions"]))
            assert ours == recorded, (trace["task"], trace["seed"], trace["policy"])
            decisions += len(ours)
    assert decisions == 1237


def test_every_supervisor_of_the_suite_finishes_or_leaves():
    names = {entry.name: entry.degenerate for entry in supervisors_for("classic-canary")}
    assert {name for name, degenerate in names.items() if not degenerate} >= {
        "baseline",
        "cautious",
        "aggressive",
        "alert-only",
        "threshold-only",
    }
    assert {name for name, degenerate in names.items() if degenerate} >= {
        "do-nothing",
        "always-hold",
        "always-increase",
        "always-rollback",
        "random-valid",
    }
    for name in names:
        simulation, taken = simulate(name, "hard", 7)
        assert simulation.done == bool(taken)


def test_do_nothing_makes_no_call():
    simulation, taken = simulate("do-nothing", "easy", 0)
    assert taken == []
    assert simulation.score().total == 0.0


@pytest.mark.parametrize("name", ["do-nothing", "always-hold", "always-increase", "always-rollback", "random-valid"])
def test_cautious_beats_the_degenerate_on_every_task(name):
    for task in TASKS:
        assert score(name, task, 0) < score("cautious", task, 0)


def test_random_valid_plays_the_same_for_the_same_seed_only():
    plays = [simulate("random-valid", "silent", 0, brief_seed)[1] for brief_seed in (-3, -3, 4)]
    assert plays[0] == plays[1] != plays[2]


def test_the_one_eyed_supervisors_miss_what_they_do_not_read():
    _, silent = simulate("alert-only", "silent", 0)
    assert "rollback" not in {entry["action_type"] for entry in silent}
    phantom, _ = simulate("alert-only", "expert", 0)
    assert phantom.tally.report()["transcript"][-1]["policy_assessment"] == "false_positive_phantom_rollback"
    expert, _ = simulate("threshold-only", "expert", 0)
    assert expert.score().metrics["rollback_assessment"]["relative_to_first_breach"] == "on_first_breach"


CALM = {
    "traffic_pct": 0.3,
    "canary_error_rate": 0.001,
    "canary_p99_ms": 140.0,
    "stable_error_rate": 0.001,
    "stable_p99_ms": 140.0,
    "differential_error": 0.0,
    "differential_p99_ms": 0.0,
    "alert_count": 0,
    "consecutive_holds": 0,
    "step_number": 3,
    "rollback_on_error_rate": 0.005,
    "rollback_on_canary_p99_ms": None,
    "rollback_on_differential_p99_ms": None,
}
ABSOLUTE = CALM | {"rollback_on_canary_p99_ms": 200.0}
RELATIVE = CALM | {"rollback_on_differential_p99_ms": 50.0}
READINGS = [
    (CALM, "healthy"),
    (CALM | {"canary_error_rate": 0.0050001}, "breach"),
    (CALM | {"canary_error_rate": 0.005, "differential_error": 0.004}, "healthy"),
    (ABSOLUTE | {"canary_p99_ms": 200.01}, "breach"),
    (ABSOLUTE | {"canary_p99_ms": 180.0}, "warning"),
    (ABSOLUTE | {"canary_error_rate": 0.0035}, "warning"),
    (ABSOLUTE | {"differential_p99_ms": 15.0}, "warning"),
    (ABSOLUTE | {"canary_p99_ms": 180.0, "traffic_pct": 0.29}, "healthy"),
    (RELATIVE | {"differential_p99_ms": 50.01}, "breach"),
    (RELATIVE | {"differential_p99_ms": 20.0}, "warning"),
    (RELATIVE | {"differential_error": 0.0015}, "warning"),
    (RELATIVE | {"differential_error": 0.0015, "traffic_pct": 0.19}, "healthy"),
    (RELATIVE | {"alert_count": 2, "differential_p99_ms": 15.0}, "phantom_alert"),
    (RELATIVE | {"alert_count": 2, "differential_p99_ms": 15.01}, "healthy"),
    (CALM | {"alert_count": 3}, "phantom_alert"),
    (RELATIVE | {"canary_p99_ms": 180.0, "stable_p99_ms": 180.0}, "noise"),
    (RELATIVE | {"canary_p99_ms": 190.0, "stable_p99_ms": 179.99, "differential_p99_ms": 10.01}, "healthy"),
    (RELATIVE | {"canary_p99_ms": 180.0, "stable_p99_ms": 180.0, "alert_count": 2}, "phantom_alert"),
]


@pytest.mark.parametrize(("observation", "expected"), READINGS)
def test_a_label_is_the_first_reading_that_applies(observation, expected):
    assert classic_canary_predicates.label(observation) == expected


def test_the_baseline_obeys_an_alert_with_a_label_that_fits():
    phantom = classic_canary_policies.baseline_decision(RELATIVE | {"alert_count": 3})
    single = classic_canary_policies.baseline_decision(RELATIVE | {"alert_count": 1})
    assert (phantom["action_type"], phantom["state_assessment"]) == ("rollback", "phantom_alert")
    assert (single["state_assessment"], single["slo_breach_detected"]) == ("breach", True)
