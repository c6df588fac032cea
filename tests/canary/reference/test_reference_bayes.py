"""The reference as a supervisor: the same seed plays the same, it knows what it knows, and it earns its name."""

from functools import cache

import numpy as np
import pytest

from releaseops_mcp.agents.base import Action, Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.canary.scenarios import family_names
from releaseops_mcp.episodes.canary.splits import HELD_OUT
from releaseops_mcp.episodes.canary.suite import scenario_id
from releaseops_mcp.rewards.canary import DECISION, FALSE_ROLLBACK
from releaseops_mcp.simulation import Simulation

FEW = tuple(name for name in family_names() if int(name[1:3]) % 2 == 0)
"""Every second family with its twin: half of the mix, as bad as the whole."""


def play(scenario, seed=0):
    """Return the actions and the report of one episode."""
    simulation, actions = Simulation.of(scenario), []

    def apply(action: Action) -> Turn:
        actions.append((action.tool, action.arguments))
        judged = simulation.call(action.tool, action.arguments)
        assert judged.refusal is None, judged.refusal
        return Turn(judged.result, None, judged.observation, judged.done, judged.terminal_reason)

    brief = Brief(simulation.first_observation, simulation.suite.tools, seed)
    drive(find_supervisor("bayes", "canary").policy, brief, apply)
    return actions, simulation.tally.report()


@cache
def held_out():
    return [play(scenario_id(name, HELD_OUT[0]))[1] for name in FEW]


@pytest.mark.parametrize("family", ["f03-sharedincident", "f16-brokenquery-twin"])
def test_the_same_seed_plays_the_same(family):
    scenario = scenario_id(family, 11)

    assert play(scenario, 4) == play(scenario, 4)


def test_its_last_belief_is_sharp_on_seeds_that_nobody_has_seen():
    scores = [report["metrics"]["brier"] for report in held_out()]

    assert all(score is not None for score in scores)
    assert np.mean(scores) < 0.18


def test_it_earns_more_than_any_policy_that_does_not_look():
    bad = [report["truth"]["bad"] for report in held_out()]
    totals = [report["total"] for report in held_out()]

    always_rollback = 1.0 - DECISION - FALSE_ROLLBACK * (1.0 - np.mean(bad))
    assert np.mean(totals) > max(0.45, 2.5 * always_rollback)


def test_it_always_comes_to_an_end():
    assert {report["metrics"]["outcome"] for report in held_out()} <= {"promoted", "rolled_back", "timeout"}


def test_it_says_what_it_believes_with_every_decision():
    actions, _ = play(scenario_id("f01-bigbang", 3))

    decisions = [arguments for tool, arguments in actions if tool == "decide_rollout"]
    assert decisions
    assert all(0.0 <= each["p_bad"] <= 1.0 and each["diagnosis"] for each in decisions)
    assert all(("suspect" in each) == (each["p_bad"] > 0.5) for each in decisions)
