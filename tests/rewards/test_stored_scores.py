"""Stored scores stand: a weight may not change without the reward's version."""

import json
from collections import Counter
from dataclasses import replace
from types import ModuleType

import pytest

from releaseops_mcp.rewards import canary, classic_gate
from releaseops_mcp.rewards.canary import RolloutScorer
from releaseops_mcp.rewards.classic_canary import grades
from releaseops_mcp.rewards.classic_canary.scorer import CanaryScorer
from releaseops_mcp.rewards.classic_canary.tally import CanaryTally
from releaseops_mcp.rewards.classic_gate import ClassicGateScorer
from releaseops_mcp.simulation import Simulation
from tests.sequences import FILE

STORED = json.loads(FILE.read_text())["scores"]


def changed_scores() -> list[str]:
    """Play every stored sequence again; return those whose total differs under the same version of the reward."""
    changed = []
    for stored in STORED:
        simulation = Simulation.of(stored["scenario"])
        for tool, arguments in stored["calls"]:
            simulation.call(tool, arguments)
        score = simulation.score()
        same_reward = (score.reward_id, score.version) == (stored["reward_id"], stored["version"])
        if same_reward and score.total != stored["total"]:
            changed.append(stored["scenario"])
    return changed


def raise_version(monkeypatch: pytest.MonkeyPatch, *places: type | tuple[ModuleType, str]) -> None:
    for place in places:
        owner, name = place if isinstance(place, tuple) else (place, "version")
        monkeypatch.setattr(owner, name, "99.0.0")


def test_every_stored_score_comes_out_again():
    assert changed_scores() == []
    assert Counter(stored["reward_id"] for stored in STORED) == {"classic-gate": 6, "classic-canary": 6, "canary": 6}


def test_a_changed_gate_weight_fails_the_stored_scores_until_the_version_is_raised(monkeypatch):
    weights = dict(classic_gate.WEIGHTS) | {"evidence": -0.06}
    monkeypatch.setattr(classic_gate, "WEIGHTS", weights)
    assert any(scenario.startswith("classic-gate/") for scenario in changed_scores())
    raise_version(monkeypatch, ClassicGateScorer, (classic_gate, "VERSION"))
    assert changed_scores() == []


def test_a_changed_classic_canary_weight_fails_the_stored_scores_until_the_version_is_raised(monkeypatch):
    standard = replace(grades.GRADES["healthy"]["increase_10"], promotion_safety=0.26)
    table = dict(grades.GRADES) | {"healthy": dict(grades.GRADES["healthy"]) | {"increase_10": standard}}
    monkeypatch.setattr(grades, "GRADES", table)
    assert any(scenario.startswith("classic-canary/") for scenario in changed_scores())
    raise_version(monkeypatch, CanaryScorer, CanaryTally)
    assert changed_scores() == []


def test_a_changed_rollout_weight_fails_the_stored_scores_until_the_version_is_raised(monkeypatch):
    monkeypatch.setattr(canary, "DECISION", 0.02)
    assert any(scenario.startswith("canary/") for scenario in changed_scores())
    raise_version(monkeypatch, RolloutScorer, (canary, "VERSION"))
    assert changed_scores() == []
