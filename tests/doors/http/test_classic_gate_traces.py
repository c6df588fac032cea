"""Replays recorded episodes of the original arena over HTTP: observations, results, rewards, statuses."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from releaseops_mcp.doors.http import classic_gate
from tests.doors.http.classickit import DATA, Served, serving

EVERY = 3
"""One recording in so many is replayed here; tests/episodes replays all of them without HTTP."""


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(classic_gate.build, tmp_path_factory.mktemp("gate"), max_concurrent_envs=500) as served:
        yield served


def same(recorded: Any, ours: Any) -> bool:
    """Compare, the order of keys included; a hashed text stands for any text."""
    if isinstance(recorded, str) and recorded.startswith("h:"):
        return isinstance(ours, str)
    if isinstance(recorded, dict):
        return list(recorded) == list(ours) and all(same(recorded[key], ours[key]) for key in recorded)
    if isinstance(recorded, list):
        return len(recorded) == len(ours) and all(map(same, recorded, ours))
    return type(recorded) is type(ours) and recorded == ours


def recorded_fields(recorded: dict[str, Any]) -> dict[str, Any]:
    """Return what the original showed of a step, less what only the recording tells."""
    result = dict(recorded["result"])
    result.pop("answer_class", None)
    return {"result": result, "done": recorded["done"], "terminal_reason": recorded["terminal_reason"]}


def replay(gate: Served, trace: dict[str, Any]) -> Iterator[str]:
    """Yield what differs."""
    begun = gate.post("/reset", trace["reset"]).json()
    if not same(trace["initial_observation"], begun["observation"]):
        yield "first observation"
    over = False
    for number, recorded in enumerate(trace["steps"]):
        call = {"env_id": begun["env_id"], "tool": recorded["tool"], "arguments": recorded["arguments"]}
        answer = gate.post("/step", call)
        expected = 404 if over else 400 if "error" in recorded else 200
        if answer.status_code != expected:
            yield f"step {number}: status {answer.status_code}"
        elif expected == 200:
            yield from different(number, recorded, answer.json())
        over = over or recorded["done"]


def different(number: int, recorded: dict[str, Any], shown: dict[str, Any]) -> Iterator[str]:
    for name, value in recorded_fields(recorded).items():
        if not same(value, shown[name]):
            yield f"step {number}: {name}"
    if round(shown["reward"], 4) != recorded["reward_after"]:
        yield f"step {number}: reward"
    if [[each["id"], each["status"]] for each in shown["observation"]["proposals"]] != recorded["active"]:
        yield f"step {number}: proposals"


def test_recorded_episodes_replay_over_http(gate):
    lines = gzip.decompress((DATA / "classic_gate" / "arena_traces.jsonl.gz").read_bytes()).splitlines()
    traces = [json.loads(line) for line in lines[::EVERY]]
    found = {number: differences for number, trace in enumerate(traces) if (differences := [*replay(gate, trace)])}
    assert found == {}
    assert len(traces) == 66
