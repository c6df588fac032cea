"""A policy's seat: calls go to the arena and come back as text, and the figure is the reward module's."""

import pytest

from releaseops_mcp.agents.base import Action
from releaseops_mcp.errors import EnvironmentFault
from tests import toys
from tests.playing import kinds, logged
from tests.training.playing_table import table_of
from training.seat import Seat

GATE = "classic-gate/green_ci_disabled_payment_test/medium/seed-0"
HOLD = Action("hold_release", {"reason_code": "awaiting_fix"})


def test_a_call_is_logged_and_answered_in_the_suites_own_rendering(sqlite_arena):
    seat = Seat.at(table_of(sqlite_arena), GATE)
    assert seat.first().startswith("phase:triage")
    assert seat.call(HOLD).startswith("phase:deploy_gate")
    assert kinds(sqlite_arena.store, seat.episode_id) == ["episode_start", "tool_call", "tool_result"]
    assert seat.actions == [HOLD]


def test_a_refused_call_is_text_and_is_counted(sqlite_arena):
    seat = Seat.at(table_of(sqlite_arena), GATE)
    text = seat.call(Action("approve_proposal", {"proposal_id": "p0"}))
    assert text.startswith("refused: unknown_proposal: ")
    assert (seat.invalid, len(seat.actions)) == (1, 1)


def test_arguments_that_no_tool_has_reach_the_arena_and_are_refused_there(sqlite_arena):
    seat = Seat.at(table_of(sqlite_arena), GATE)
    assert seat.call(Action("hold_release", {"episode_id": "x", "self": 1})).startswith("refused: argument_error")
    assert seat.call(Action("fly", {})).startswith("refused: unknown_tool")


def test_after_the_end_it_keeps_saying_so_and_nothing_moves(sqlite_arena):
    seat = Seat.at(table_of(sqlite_arena), GATE)
    texts = [seat.call(HOLD) for _ in range(2)]
    assert texts[-1].endswith("over: missed_deadline")
    reward = seat.leave()
    events = kinds(sqlite_arena.store, seat.episode_id)
    assert [seat.call(HOLD), seat.call(HOLD)] == ["over: missed_deadline"] * 2
    assert (seat.late, seat.leave()) == (2, reward)
    assert kinds(sqlite_arena.store, seat.episode_id) == events


def test_leaving_closes_the_episode_and_gives_the_stored_figure(sqlite_arena):
    seat = Seat.at(table_of(sqlite_arena), GATE)
    seat.call(HOLD)
    reward = seat.leave()
    assert reward == sqlite_arena.score(seat.episode_id).total
    assert logged(sqlite_arena.store, seat.episode_id).events[-1].kind == "episode_end"


def test_an_episode_in_which_the_arena_failed_has_no_figure(sqlite_arena, monkeypatch):
    toys.install(monkeypatch)
    seat = Seat.at(table_of(sqlite_arena), toys.SCENARIO)
    with pytest.raises(EnvironmentFault):
        seat.call(Action("explode", {}))
    assert seat.leave() is None
    assert "environment_fault" in seat.fault


def test_time_in_the_arena_is_measured_by_the_tables_clock(sqlite_arena):
    seat = Seat.at(table_of(sqlite_arena), GATE)
    seat.call(HOLD)
    assert seat.seconds == 2.0
