"""Replays every recorded episode of the original: results, errors, rewards, clocks, proposals, metrics."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from releaseops_mcp.episodes.classic_gate import texts
from releaseops_mcp.simulation import Judged, Simulation

TRACES = Path(__file__).parent.parent / "data" / "classic_gate" / "arena_traces.jsonl.gz"
DEFAULTS = {"family": "green_ci_disabled_payment_test", "seed": 42, "difficulty": "medium"}
CLOCKS = ("phase", "hours_to_deadline", "review_budget_remaining", "evidence_actions_remaining")
CONFESSIONS = {texts.PAYMENT_CONFESSION, texts.P1_CONFESSION, texts.DEPLOY_CONFESSION}


@pytest.fixture(scope="module")
def traces() -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(TRACES.read_bytes()).splitlines()]


def begin(trace: dict[str, Any]) -> Simulation:
    reset = DEFAULTS | trace["reset"]
    return Simulation.of(f"classic-gate/{reset['family']}/{reset['difficulty']}/seed-{reset['seed']}")


def same(recorded: Any, ours: Any, words: list[tuple[str, str]]) -> bool:
    """Compare two values, key order included; a hashed text matches any text, and the pair goes into `words`."""
    if isinstance(recorded, str) and recorded.startswith("h:"):
        words.append((recorded, ours))
        return isinstance(ours, str)
    if isinstance(recorded, dict):
        return list(recorded) == list(ours) and all(same(recorded[key], ours[key], words) for key in recorded)
    if isinstance(recorded, list):
        return len(recorded) == len(ours) and all(same(a, b, words) for a, b in zip(recorded, ours, strict=True))
    return type(recorded) is type(ours) and recorded == ours


def answer_class(answer: str) -> str:
    if answer in CONFESSIONS:
        return "hidden_detail"
    return "stock_line" if answer in texts.REASSURANCES else "confidence_line"


def differences(step: dict[str, Any], judged: Judged, words: list[tuple[str, str]]) -> list[str]:
    recorded = dict(step.get("result") or {})
    asked = recorded.pop("answer_class", None)
    observation = judged.observation
    checks = {
        "error": step.get("error") == (judged.refusal.code if judged.refusal else None),
        "result": same(recorded, judged.result or {}, words),
        "answer": asked is None or (judged.result is not None and asked == answer_class(judged.result["answer"])),
        "reward": step["reward_after"] == round(judged.earned.reward, 4),
        "end": (step["done"], step["terminal_reason"]) == (judged.done, judged.terminal_reason),
        "clock": [step[name] for name in CLOCKS] == [observation[name] for name in CLOCKS],
        "active": step["active"] == [[entry["id"], entry["status"]] for entry in observation["proposals"]],
    }
    return [name for name, holds in checks.items() if not holds]


def test_all_recorded_steps_replay_without_a_mismatch(traces):
    mismatches = []
    steps = 0
    for number, trace in enumerate(traces):
        simulation, words = begin(trace), []
        if not same(trace["initial_observation"], simulation.first_observation, words):
            mismatches.append((number, "initial observation"))
        for index, step in enumerate(trace["steps"]):
            steps += 1
            found = differences(step, simulation.call(step["tool"], step["arguments"]), words)
            mismatches += [(number, index, name) for name in found]
    assert (len(traces), steps, mismatches) == (197, 1593, [])


def test_totals_metrics_and_final_facts_are_the_recorded_ones(traces):
    for trace in traces:
        simulation = begin(trace)
        for step in trace["steps"]:
            simulation.call(step["tool"], step["arguments"])
        score = simulation.score()
        observation = simulation.episode.observe()
        assert round(score.total, 4) == trace["reward"]
        assert {name: score.metrics[name] for name in trace["metrics"]} == trace["metrics"]
        assert score.metrics["violated_rules"] == (trace["violated_rules"] or [])
        assert observation["release_checks"] == trace["release_facts_final"]
        assert simulation.episode.terminal_reason == trace["terminal_reason"]
        spent = trace["initial_observation"]["review_budget_remaining"] - observation["review_budget_remaining"]
        assert score.metrics["budget_spent"] == spent


def test_texts_that_were_equal_within_an_episode_are_equal_here(traces):
    for trace in traces:
        simulation, words = begin(trace), []
        same(trace["initial_observation"], simulation.first_observation, words)
        for step in trace["steps"]:
            differences(step, simulation.call(step["tool"], step["arguments"]), words)
        assert len(dict(words)) == len(set(words)), trace["reset"]


def test_the_hidden_truth_is_where_the_recording_has_it(traces):
    for trace in traces:
        truth = begin(trace).episode.truth()["proposals"]
        planted = [{"id": entry["id"], "has_violation": entry["violation"] is not None} for entry in truth]
        assert planted == trace["world"]["latent"]
