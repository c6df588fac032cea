"""Replays recorded episodes of the original canary manager over HTTP and compares every number exactly."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from releaseops_mcp.doors.http import classic_canary
from tests.doors.http.classickit import DATA, Served, connected, serving

EVERY = 13
"""One recording in so many is replayed here; tests/episodes replays all of them without HTTP."""


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(classic_canary.build, tmp_path_factory.mktemp("canary")) as served:
        yield served


@pytest.fixture(scope="module")
def traces() -> list[dict[str, Any]]:
    with gzip.open(DATA / "classic_canary" / "canary_traces.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in [*lines][::EVERY]]


def replayed(canary: Served, trace: dict[str, Any]) -> dict[str, Any]:
    """Play the recorded actions and return what the recording holds, as HTTP shows it."""
    asked = {"task": trace["task"], "seed": trace["seed"]}
    begun = canary.post("/episodes", asked).json()
    fields, before = trace["obs_fields"], begun["observation"]
    guardrails = {name: before[name] for name in trace["guardrails"]}
    steps: list[dict[str, Any]] = []
    for action in trace["actions"]:
        shown = canary.post(f"/episodes/{begun['episode_id']}/step", {"action": action}).json()
        steps.append(
            {
                "pre": [before[name] for name in fields],
                "action_type": action["action_type"],
                "state_assessment": action["state_assessment"],
                "slo_breach_detected": action["slo_breach_detected"],
                "step_score": shown["reward"],
                "breakdown": shown["evaluation"]["reward_breakdown"],
                "policy_assessment": shown["evaluation"]["policy_assessment"],
                "actual_breach": shown["evaluation"]["actual_breach"],
                "post": [shown["observation"][name] for name in fields],
                "running_score": shown["evaluation"]["episode_score"],
                "done": shown["done"],
            }
        )
        before = shown["observation"]
    result = canary.get(f"/episodes/{begun['episode_id']}/transcript").json()
    named = ("outcome", "episode_score", "score_breakdown", "first_breach_point", "rollback_assessment")
    return {"guardrails": guardrails, "steps": steps, **{name: result[name] for name in named}}


def test_recorded_episodes_replay_over_http(canary, traces):
    different = [
        (trace["task"], trace["seed"], trace["policy"])
        for trace in traces
        if any(trace[name] != value for name, value in replayed(canary, trace).items())
    ]
    assert different == []
    assert len(traces) == 56


def test_recorded_episodes_replay_over_one_websocket(canary, traces):
    with connected(canary) as socket:
        for trace in traces[::7]:
            socket.send("reset", {"task": trace["task"], "seed": trace["seed"]})
            shown = [socket.send("step", action)[1] for action in trace["actions"]]
            recorded = [(step["step_score"], step["done"]) for step in trace["steps"]]
            assert [(each["reward"], each["done"]) for each in shown] == recorded
