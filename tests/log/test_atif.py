"""An episode as an ATIF trajectory: valid for the format's own models, complete, and without a secret."""

import json

import pytest
from atif import Trajectory

from releaseops_mcp.canonical import dumps
from releaseops_mcp.errors import EnvironmentFault
from releaseops_mcp.events import Origin
from releaseops_mcp.log.atif import SCHEMA_VERSION, to_atif
from tests import toys
from tests.playing import fill, logged, play
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, decision

MODEL_CALL = {"model": "m-1", "input_tokens": 120, "output_tokens": 8, "cost_usd": 0.5, "policy_version": "7"}


def trajectory(arena, episode_id, **with_score):
    exported = to_atif(logged(arena.store, episode_id), **with_score)
    Trajectory.model_validate(json.loads(dumps(exported)))
    return exported


def test_every_kind_of_episode_is_valid_under_the_formats_models(sqlite_arena):
    for episode_id in fill(sqlite_arena):
        exported = trajectory(sqlite_arena, episode_id)
        assert exported["schema_version"] == SCHEMA_VERSION
        assert [step["step_id"] for step in exported["steps"]] == list(range(1, len(exported["steps"]) + 1))


def test_a_call_is_a_step_with_its_answer(sqlite_arena):
    episode_id = play(sqlite_arena, CANARY_SCENARIO, [decision("increase_10"), decision("fly")])
    first = logged(sqlite_arena.store, episode_id).start["observation"]
    start, moved, refused = trajectory(sqlite_arena, episode_id)["steps"]
    assert start["source"] == "system"
    assert json.loads(start["observation"]["results"][0]["content"]) == first
    (call,), (answer,) = moved["tool_calls"], moved["observation"]["results"]
    assert (call["function_name"], call["arguments"]) == decision("increase_10")
    assert answer["source_call_id"] == call["tool_call_id"]
    assert json.loads(answer["content"])["result"]["applied"] is True
    assert moved["timestamp"] == "2025-06-15T15:06:40.000+00:00"
    assert refused["observation"]["results"][0]["content"].startswith("invalid_argument: action_type must be")
    assert refused["extra"]["releaseops"]["error"] == "invalid_argument"


def test_a_message_and_its_model_call_join_the_call_that_follows(sqlite_arena):
    episode_id = play(sqlite_arena, GATE_SCENARIO)
    for kind, data in [
        ("message", {"role": "system", "content": "Supervise."}),
        ("message", {"role": "user", "content": "Go on."}),
        ("model_call", MODEL_CALL),
        ("message", {"role": "assistant", "content": "I hold."}),
    ]:
        sqlite_arena.record(episode_id, kind, data)
    sqlite_arena.call(episode_id, *HOLD)
    sqlite_arena.record(episode_id, "message", {"role": "tool", "content": "held", "tool_call_id": "1"})
    sqlite_arena.record(episode_id, "message", {"role": "assistant", "content": "Done."})
    sqlite_arena.record(episode_id, "model_call", {"model": "m-2", "input_tokens": 5, "output_tokens": 1})
    exported = trajectory(sqlite_arena, episode_id)
    shape = [(step["source"], step["message"], "tool_calls" in step) for step in exported["steps"]]
    assert shape == [
        ("system", "The episode began.", False),
        ("system", "Supervise.", False),
        ("user", "Go on.", False),
        ("agent", "I hold.", True),
        ("system", "", False),
        ("agent", "Done.", False),
    ]
    turn = exported["steps"][3]
    assert turn["model_name"] == "m-1"
    assert turn["metrics"] == {
        "prompt_tokens": 120,
        "completion_tokens": 8,
        "cost_usd": 0.5,
        "extra": {"releaseops": {"policy_version": "7"}},
    }
    assert exported["steps"][5]["metrics"]["prompt_tokens"] == 5
    assert exported["final_metrics"] == {
        "total_steps": 6,
        "total_prompt_tokens": 125,
        "total_completion_tokens": 9,
        "total_cost_usd": 0.5,
    }


def test_two_messages_are_two_turns(sqlite_arena):
    episode_id = play(sqlite_arena, GATE_SCENARIO)
    for content in ("One.", "Two."):
        sqlite_arena.record(episode_id, "message", {"role": "assistant", "content": content})
    assert [step["message"] for step in trajectory(sqlite_arena, episode_id)["steps"][1:]] == ["One.", "Two."]


def test_the_agent_is_who_it_says_it_is(sqlite_arena):
    origin = Origin(door="mcp", client="inspector", client_version="1.2", agent="careful", model="m-1")
    episode_id = sqlite_arena.start(GATE_SCENARIO, origin).episode_id
    agent = trajectory(sqlite_arena, episode_id)["agent"]
    assert (agent["name"], agent["version"], agent["model_name"]) == ("careful", "1.2", "m-1")
    unnamed = trajectory(sqlite_arena, play(sqlite_arena, GATE_SCENARIO))["agent"]
    assert (unnamed["name"], unnamed["version"]) == ("python", "unknown")
    assert "model_name" not in unnamed


def test_a_score_is_shown_only_of_an_episode_that_is_over(sqlite_arena):
    gate, canary, closed, running = fill(sqlite_arena)
    for episode_id, ended in ((gate, True), (canary, True), (closed, True), (running, False)):
        score, _ = sqlite_arena.report(episode_id)
        ours = trajectory(sqlite_arena, episode_id, score=score)["extra"]["releaseops"]
        assert ours["ended"] is ended
        assert ("score" in ours) is ended
        assert ("total" in dumps(ours)) is ended


def test_neither_truth_nor_reward_is_exported_without_a_score(sqlite_arena):
    for episode_id in fill(sqlite_arena):
        text = dumps(to_atif(logged(sqlite_arena.store, episode_id)))
        assert not any(word in text for word in ('"truth"', '"violation"', '"constants"', '"total"'))


def test_odd_calls_are_valid_too(sqlite_arena):
    episode_id = play(sqlite_arena, GATE_SCENARIO)
    sqlite_arena.call(episode_id, "na\ud800me", ["no", "object"])
    step = trajectory(sqlite_arena, episode_id)["steps"][1]
    assert step["tool_calls"][0]["function_name"] == "na\\ud800me"
    assert step["tool_calls"][0]["arguments"] == {"$arguments": ["no", "object"]}


def test_a_fault_of_the_arena_is_told_apart_from_the_agents_turns(sqlite_arena, monkeypatch):
    toys.install(monkeypatch)
    episode_id = play(sqlite_arena, toys.SCENARIO)
    with pytest.raises(EnvironmentFault):
        sqlite_arena.call(episode_id, "explode", {})
    step = trajectory(sqlite_arena, episode_id)["steps"][1]
    assert (step["source"], step["message"]) == (
        "system",
        "the arena failed (RuntimeError); the call was not applied",
    )


def test_tokens_that_nobody_counted_are_not_summed_up(sqlite_arena):
    [episode_id, *_] = fill(sqlite_arena)
    for tokens in (5, None):
        call = {"model": "m", "input_tokens": tokens, "output_tokens": 3}
        sqlite_arena.record(episode_id, "model_call", call)

    metrics = trajectory(sqlite_arena, episode_id)["final_metrics"]

    assert "total_prompt_tokens" not in metrics
    assert metrics["total_completion_tokens"] == 6
