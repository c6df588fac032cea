"""What the log tells of an episode, read from a real one."""

from dataclasses import replace

import pytest

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.classic_canary import SUITE as CANARY
from releaseops_mcp.episodes.classic_gate import SUITE as GATE
from releaseops_mcp.evaluation.facts import Facts, facts_of
from releaseops_mcp.evaluation.measures import measures_of
from releaseops_mcp.evaluation.runs import logged_facts
from releaseops_mcp.evaluation.trajectory import trajectory_of
from releaseops_mcp.log.logged import LoggedEpisode
from tests.evaluation.conftest import READER
from tests.playing import logged


def played(arena: Arena, agent: str, suite: str, scenario: str) -> tuple[Played, Facts]:
    came = play_episode(arena, find_supervisor(agent, suite), scenario)
    return came, logged_facts(arena, came)


def test_a_safe_ship_passes_the_gate(sqlite_arena: Arena) -> None:
    came, facts = played(sqlite_arena, "phase-aware", GATE.name, GATE.default_scenario)

    assert (came.terminal_reason, facts.passed, facts.false_accusations) == ("safe_ship", True, 0)
    assert facts.verdicts.keys() <= {"approve", "block", "hold"}


def test_blocking_what_is_sound_is_a_false_accusation(sqlite_arena: Arena) -> None:
    _, facts = played(sqlite_arena, "always-block", GATE.name, "classic-gate/careful_qa_safe/low/seed-1")

    assert facts.passed is False
    assert facts.accusations == facts.false_accusations == facts.verdicts["block"]


@pytest.mark.parametrize(
    ("agent", "scenario", "passed"),
    [
        ("cautious", "classic-canary/easy/seed-0", True),
        ("cautious", "classic-canary/recovery/seed-0", True),
        ("always-increase", "classic-canary/easy/seed-0", False),
        ("always-increase", "classic-canary/recovery/seed-0", True),
        ("always-rollback", "classic-canary/easy/seed-0", False),
        ("always-hold", "classic-canary/easy/seed-0", False),
    ],
)
def test_a_canary_passes_at_full_traffic_in_health_or_at_the_first_breach(
    agent: str, scenario: str, passed: bool, sqlite_arena: Arena
) -> None:
    assert played(sqlite_arena, agent, CANARY.name, scenario)[1].passed is passed


def test_a_cry_of_breach_in_health_is_false(sqlite_arena: Arena) -> None:
    _, facts = played(sqlite_arena, "always-rollback", CANARY.name, "classic-canary/easy/seed-0")

    assert (facts.accusations, facts.false_accusations, facts.verdicts) == (1, 1, {"rollback": 1})


def test_confidence_is_held_against_what_came_of_it(toy: None, sqlite_arena: Arena) -> None:
    came = play_episode(sqlite_arena, READER, "toy/f99-leak/seed-1", seed=1)

    facts = logged_facts(sqlite_arena, came)

    assert (came.reward, facts.passed, facts.kind) == (0.9, True, "f99-leak")
    assert facts.confidences == ((0.75, True),)
    assert facts.verdicts == {"block": 1}


@pytest.mark.parametrize("confidence", [-0.1, 1.1, "0.9", True, None])
def test_a_confidence_that_is_none_is_not_counted(confidence: object, toy: None, sqlite_arena: Arena) -> None:
    def decide(brief: Brief) -> Play:
        yield Action("decide", {"verdict": "ship", "confidence": confidence})

    came = play_episode(sqlite_arena, Supervisor("x", "toy", decide, False, ""), "toy/f99-leak/seed-1")

    assert logged_facts(sqlite_arena, came).confidences == ()


def test_what_the_model_behind_an_agent_used_is_summed(sqlite_arena: Arena) -> None:
    came = play_episode(sqlite_arena, find_supervisor("cautious", CANARY.name), CANARY.default_scenario)
    for cost in (0.25, None):
        event = {"model": "m", "input_tokens": 100, "output_tokens": 20, "cost_usd": cost}
        sqlite_arena.record(came.episode_id, "model_call", event)
    sqlite_arena.record(came.episode_id, "message", {"role": "assistant", "content": "I hold."})
    sqlite_arena.record(came.episode_id, "message", {"role": "user", "content": "Go on."})

    episode = logged(sqlite_arena.store, came.episode_id)
    facts = facts_of(episode, came)

    assert (facts.model_calls, facts.input_tokens, facts.output_tokens, facts.cost_usd) == (2, 200, 40, 0.25)
    assert trajectory_of(episode).said == ("I hold.",)


def test_without_truth_nothing_is_said_of_accusations(sqlite_arena: Arena) -> None:
    came = play_episode(sqlite_arena, find_supervisor("always-block", GATE.name), GATE.default_scenario)
    whole = logged(sqlite_arena.store, came.episode_id)
    blind = LoggedEpisode(whole.id, whole.count, whole.head, whole.events, None)

    facts = facts_of(blind, came)

    assert facts.false_accusations is None
    assert all(call.reward is None and call.detail == {} for call in trajectory_of(blind).calls)


def test_an_episode_that_never_began_has_no_facts(sqlite_arena: Arena) -> None:
    came, _ = played(sqlite_arena, "do-nothing", GATE.name, GATE.default_scenario)

    assert logged_facts(sqlite_arena, replace(came, episode_id="")) == Facts()


def test_of_an_unknown_suite_only_what_holds_for_any_is_known() -> None:
    measures = measures_of("gone")

    assert (measures.suite, measures.passes, measures.kind("gone/1")) == ("gone", None, None)
