"""What a batch of rollouts did is counted off their seats."""

import pytest

from releaseops_mcp.agents.base import Action
from releaseops_mcp.episodes.registry import suites
from tests.training.playing_table import table_of
from training.rollout_metrics import label, rollout_metrics
from training.seat import Seat

PULLS = ("left", "right", "up", None)
"""The last one is none at all: the policy's answer was not read as a call."""


def test_rates_rewards_and_actions_of_a_batch(sqlite_arena, installed):
    # given four rollouts: two fine, one with a refused call, one without any
    seats = [Seat.at(table_of(sqlite_arena), f"arms/bandit/seed-{seed}") for seed in range(4)]
    for seat, arm in zip(seats, PULLS, strict=True):
        if arm:
            seat.call(Action("pull", {"arm": arm}))
        seat.leave()

    # when they are counted
    figures = rollout_metrics(seats)

    # then
    assert figures["rollout/calls"] == 0.75
    assert figures["rollout/invalid_rate"] == pytest.approx(1 / 3)
    assert figures["rollout/parse_rate"] == 0.6  # three calls, and two episodes left open by an answer that was none
    assert figures["rollout/finished_rate"] == 0.5
    assert figures["family/arms/bandit"] == figures["component/arms/arm"] == 0.25
    actions = {name: value for name, value in figures.items() if name.startswith("action/")}
    assert actions == pytest.approx({"action/pull.left": 1 / 3, "action/pull.right": 1 / 3, "action/pull.other": 1 / 3})
    assert figures["time/environment_seconds"] > 0


def test_a_batch_without_a_call_has_rates_too(sqlite_arena, installed):
    seat = Seat.at(table_of(sqlite_arena), "arms/bandit/seed-0")
    seat.leave()
    figures = rollout_metrics([seat])
    assert figures["rollout/invalid_rate"] == figures["rollout/parse_rate"] == 0.0


def test_an_action_is_named_by_its_tool_and_its_first_closed_argument():
    gate = suites()["classic-gate"]
    assert label(gate, Action("approve_proposal", {"proposal_id": "p1"})) == "approve_proposal"
    assert label(gate, Action("block_proposal", {"proposal_id": "p1", "rule_id": "S1"})) == "block_proposal.S1"
    assert label(gate, Action("fly", {})) == "unknown_tool"
    assert label(gate, Action("block_proposal", {"rule_id": ["x"]})) == "block_proposal.other"
