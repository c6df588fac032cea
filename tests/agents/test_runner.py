"""One episode of a supervisor on the arena: what is logged, what is counted, and what a failure leaves behind."""

import pytest

from releaseops_mcp.agents.base import Action, Brief, Play, Policy, Supervisor
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.audit.account import account
from releaseops_mcp.episodes.classic_gate import SUITE as GATE_SUITE
from releaseops_mcp.episodes.classic_gate.episode import ClassicGateEpisode
from releaseops_mcp.errors import InvalidArgument, StoreUnavailable, UnknownScenario
from releaseops_mcp.log.store import Store
from tests.playing import logged

GATE = "classic-gate/green_ci_disabled_payment_test/low/seed-5"
CANARY = "classic-canary/hard/seed-0"
HOLD = Action("hold_release", {"reason_code": "awaiting_fix"})
MISTAKE = Action("inspect_ticket", {"ticket_id": "ticket_0"})


def of(*actions: Action) -> Supervisor:
    """Return a supervisor of the gate that makes these calls, whatever comes of them."""

    def policy(brief: Brief) -> Play:
        for action in actions:
            _ = yield action

    return named(policy)


def named(policy: Policy) -> Supervisor:
    return Supervisor("tested", "classic-gate", policy, False, "A supervisor in a test.")


def test_a_finished_episode_tells_what_the_log_tells(sqlite_arena: Arena) -> None:
    played = play_episode(sqlite_arena, find_supervisor("phase-aware", "classic-gate"), GATE)

    told = account(logged(sqlite_arena.store, played.episode_id))
    assert played == Played(
        episode_id=told.episode_id,
        scenario=GATE,
        suite="classic-gate",
        family="green_ci_disabled_payment_test",
        agent="phase-aware",
        steps=6,
        invalid=0,
        reward=told.reward,
        components=told.components,
        metrics=told.metrics,
        terminal_reason="safe_ship",
        truncated=False,
        fault=None,
    )
    assert played.reward == pytest.approx(1.15)
    assert (told.origin["door"], told.origin["agent"], told.validity) == ("python", "phase-aware", "complete")


@pytest.mark.parametrize("suite", ["classic-gate", "classic-canary"])
def test_every_scripted_supervisor_plays_and_is_closed(suite: str, sqlite_arena: Arena) -> None:
    scenario = GATE if suite == "classic-gate" else CANARY
    for supervisor in supervisors_for(suite):
        played = play_episode(sqlite_arena, supervisor, scenario, seed=7)

        row = sqlite_arena.store.episode(played.episode_id)
        assert row is not None
        assert (row.ended, row.agent, row.steps) == (True, supervisor.name, played.steps)
        assert played.reward is not None


def test_a_supervisor_that_leaves_is_closed_without_a_reason(sqlite_arena: Arena) -> None:
    played = play_episode(sqlite_arena, of(MISTAKE), GATE)

    told = account(logged(sqlite_arena.store, played.episode_id))
    assert (played.terminal_reason, played.truncated, played.fault) == (None, False, None)
    assert (played.steps, played.invalid, played.reward) == (1, 1, -0.25)
    assert (told.ended, told.validity) == (True, "closed")


def test_a_supervisor_that_does_not_end_is_stopped_and_closed(sqlite_arena: Arena) -> None:
    played = play_episode(sqlite_arena, of(*[MISTAKE] * 10), GATE, max_calls=4)

    assert (played.truncated, played.steps, played.terminal_reason) == (True, 4, None)
    assert account(logged(sqlite_arena.store, played.episode_id)).ended


def test_a_supervisor_that_raises_leaves_an_unscored_closed_episode(sqlite_arena: Arena) -> None:
    def broken(brief: Brief) -> Play:
        yield MISTAKE
        raise KeyError("gone")

    played = play_episode(sqlite_arena, named(broken), GATE)

    assert (played.reward, played.truncated, played.steps) == (None, False, 1)
    assert played.fault == "agent_failed: KeyError: 'gone'"
    assert account(logged(sqlite_arena.store, played.episode_id)).ended


def test_an_arena_that_fails_leaves_an_unscored_episode(sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(ClassicGateEpisode, "call", crash)

    played = play_episode(sqlite_arena, of(HOLD), GATE)

    assert played.reward is None
    assert played.fault is not None
    assert played.fault.startswith("environment_fault: ")
    assert account(logged(sqlite_arena.store, played.episode_id)).ended


def test_a_world_that_cannot_be_made_is_an_unscored_episode_without_an_id(
    sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(GATE_SUITE), "begin", crash)

    played = play_episode(sqlite_arena, of(HOLD), GATE)

    assert (played.episode_id, played.reward, played.family) == ("", None, "green_ci_disabled_payment_test")


def test_a_log_out_of_reach_ends_the_run(sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bool:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(Store, "append", refuse)

    with pytest.raises(StoreUnavailable):
        play_episode(sqlite_arena, of(HOLD), GATE)


def test_observing_and_finishing_are_calls_like_others(sqlite_arena: Arena) -> None:
    look, finish = Action("observe", {}), Action("finish_episode", {})

    played = play_episode(sqlite_arena, of(look, HOLD, look, finish, HOLD), GATE)

    tools = [
        event.data["tool"]
        for event in logged(sqlite_arena.store, played.episode_id).events
        if event.kind == "tool_call"
    ]
    assert tools == ["observe", "hold_release", "observe", "finish_episode"]
    assert played.steps == 1


def test_a_watcher_is_shown_each_call_and_its_answer(sqlite_arena: Arena) -> None:
    seen: list[tuple[str, str | None]] = []

    def watch(action: Action, answer: Answer) -> None:
        seen.append((action.tool, answer.refusal.code if answer.refusal else None))

    play_episode(sqlite_arena, of(MISTAKE, HOLD), GATE, watch=watch)

    assert seen == [("inspect_ticket", "unknown_artifact"), ("hold_release", None)]


def test_a_ticket_is_played_under_the_operators_name(sqlite_arena: Arena) -> None:
    [ticket] = sqlite_arena.tickets.mint([GATE])

    assert play_episode(sqlite_arena, of(HOLD), ticket).scenario == GATE


@pytest.mark.parametrize(
    ("scenario", "error"), [(CANARY, InvalidArgument), ("classic-gate/nowhere/low/seed-1", UnknownScenario)]
)
def test_a_scenario_that_it_cannot_play_is_refused(scenario: str, error: type[Exception], sqlite_arena: Arena) -> None:
    with pytest.raises(error):
        play_episode(sqlite_arena, of(HOLD), scenario)


def test_a_drawing_supervisor_repeats_itself_with_the_same_seed(sqlite_arena: Arena) -> None:
    drawing = find_supervisor("random-valid", "classic-gate")

    def calls(seed: int) -> list[object]:
        played = play_episode(sqlite_arena, drawing, GATE, seed=seed)
        steps = account(logged(sqlite_arena.store, played.episode_id)).steps
        return [(step.tool, step.arguments) for step in steps]

    assert calls(3) == calls(3)
    assert len({str(calls(seed)) for seed in range(5)}) > 1
