"""Replays every recorded episode of the original and compares every number exactly."""

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from releaseops_mcp.episodes.classic_canary.contract import CanaryObservation
from releaseops_mcp.simulation import Simulation

DATA = Path(__file__).parents[1] / "data" / "classic_canary"
TASKS = ("easy", "medium", "hard", "expert", "recovery", "silent")


@cache
def traces():
    with gzip.open(DATA / "canary_traces.jsonl.gz", "rt") as lines:
        by_task = defaultdict(list)
        for line in lines:
            trace = json.loads(line)
            by_task[trace["task"]].append(trace)
        return by_task


def test_the_recording_is_complete():
    recorded = [trace for task in TASKS for trace in traces()[task]]
    assert len(recorded) == 726
    assert sum(trace["n_steps"] for trace in recorded) == 5674


def replay(trace):
    """Play the recorded actions; return what the recording holds, as our product computes it."""
    simulation = Simulation.of(f"classic-canary/{trace['task']}/seed-{trace['seed']}")
    fields = trace["obs_fields"]
    steps, before = [], simulation.first_observation
    guardrails = {name: before[name] for name in trace["guardrails"]}
    for action in trace["actions"]:
        judged = simulation.call("decide_rollout", action)
        steps.append(
            {
                "pre": [before[name] for name in fields],
                "action_type": action["action_type"],
                "state_assessment": action["state_assessment"],
                "slo_breach_detected": action["slo_breach_detected"],
                "step_score": judged.earned.reward,
                "breakdown": judged.earned.detail["reward_breakdown"],
                "policy_assessment": judged.earned.detail["policy_assessment"],
                "actual_breach": judged.earned.detail["actual_breach"],
                "post": [judged.observation[name] for name in fields],
                "running_score": judged.earned.detail["episode_score"],
                "done": judged.done,
            }
        )
        before = judged.observation
    return simulation, guardrails, steps


@pytest.mark.parametrize("task", TASKS)
def test_every_recorded_step_is_reproduced(task):
    for trace in traces()[task]:
        simulation, guardrails, steps = replay(trace)
        where = (task, trace["seed"], trace["policy"])
        # repr tells 140 from 140.0: all figures but the three counts are floats
        assert repr(steps) == repr(trace["steps"]), where
        assert guardrails == trace["guardrails"], where
        assert simulation.done == trace["complete"], where


@pytest.mark.parametrize("task", TASKS)
def test_every_recorded_episode_result_is_reproduced(task):
    for trace in traces()[task]:
        simulation, _, _ = replay(trace)
        report = simulation.tally.report()
        compared = ("outcome", "episode_score", "score_breakdown", "first_breach_point", "rollback_assessment")
        where = (task, trace["seed"], trace["policy"])
        assert {key: report[key] for key in compared} == {key: trace[key] for key in compared}, where
        assert report["steps"] == trace["n_steps"], where
        assert simulation.score().total == trace["episode_score"], where
        terminal = trace["outcome"] if trace["complete"] else None
        assert simulation.episode.terminal_reason == terminal, where


@pytest.mark.parametrize("task", TASKS)
def test_every_observation_is_of_the_contract_type(task):
    for trace in traces()[task][:20]:
        simulation, _, _ = replay(trace)
        for entry in simulation.tally.report()["transcript"]:
            observation = entry["pre_observation"]
            assert CanaryObservation(**observation).model_dump() == observation
