"""Several episodes at a time, and going on after an interruption: the figures stay what one at a time gives."""

import threading
from pathlib import Path

import pytest

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.classic_canary import SUITE as CANARY
from releaseops_mcp.evaluation.entries import Key
from releaseops_mcp.evaluation.journal import Journal
from releaseops_mcp.evaluation.runs import draw_seed, plan, run
from tests.evaluation.conftest import READER
from tests.playing import logged

SCENARIOS = CANARY.splits()["published"]


def test_several_at_a_time_come_to_the_same_rows_in_the_same_order(sqlite_arena: Arena) -> None:
    supervisors = supervisors_for(CANARY.name)[:3]

    one, four = (run(sqlite_arena, supervisors, SCENARIOS, jobs=jobs, repeats=2) for jobs in (1, 4))

    assert list(four.tables.rows()) == list(one.tables.rows())
    assert [figure.reward for figure in four.figures] == [figure.reward for figure in one.figures]


def test_as_many_episodes_as_asked_for_are_played_at_a_time(sqlite_arena: Arena) -> None:
    together = threading.Barrier(3, timeout=20)

    def runner(arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
        together.wait()
        return play_episode(arena, supervisor, scenario, seed=seed)

    came = run(sqlite_arena, supervisors_for(CANARY.name)[:1], SCENARIOS, runner=runner, jobs=3)

    assert len(came.figures) == len(SCENARIOS)


def test_what_goes_wrong_in_a_worker_ends_the_run(sqlite_arena: Arena) -> None:
    def runner(arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(sqlite_arena, supervisors_for(CANARY.name)[:1], SCENARIOS, runner=runner, jobs=2)


def test_agents_are_handed_tickets_and_never_ids(toy: None, sqlite_arena: Arena) -> None:
    came = run(sqlite_arena, [READER], ["toy/f99-leak/seed-1", "toy/f99-leak-twin/seed-1"])

    starts = [logged(sqlite_arena.store, figure.episode_id).start for figure in came.figures]
    assert [start["named"][:4] for start in starts] == ["scn_", "scn_"]
    assert [start["scenario"] for start in starts] == ["toy/f99-leak/seed-1", "toy/f99-leak-twin/seed-1"]


def test_a_scenario_that_is_named_again_is_one_more_repeat() -> None:
    slots = list(plan([READER], ["a", "b", "a"], repeats=2))

    assert [(slot.scenario, slot.repeat) for slot in slots] == [
        ("a", 0),
        ("a", 1),
        ("b", 0),
        ("b", 1),
        ("a", 2),
        ("a", 3),
    ]


def test_repeats_are_drawn_apart_and_the_first_as_ever() -> None:
    assert len({draw_seed("a"), draw_seed("a", 1), draw_seed("a", 2), draw_seed("b", 1)}) == 4
    assert draw_seed("a", 0) == draw_seed("a")


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_run_goes_on_at_the_exact_episode(jobs: int, sqlite_arena: Arena, tmp_path: Path) -> None:
    supervisors = [find_supervisor(name, CANARY.name) for name in ("cautious", "random-valid")]
    whole = run(sqlite_arena, supervisors, SCENARIOS)
    calls = threading.Semaphore(7)

    def dying(arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
        if not calls.acquire(blocking=False):
            raise KeyboardInterrupt
        return play_episode(arena, supervisor, scenario, seed=seed)

    first = Journal(tmp_path / "results.jsonl")
    with pytest.raises(KeyboardInterrupt):
        run(sqlite_arena, supervisors, SCENARIOS, runner=dying, record=first, jobs=jobs)
    first.close()
    before = sqlite_arena.store.started()
    again = Journal(tmp_path / "results.jsonl")
    kept = len(again)

    came = run(sqlite_arena, supervisors, SCENARIOS, record=again, jobs=jobs)

    assert kept == 7
    assert sqlite_arena.store.started() - before == 12 - kept
    assert list(came.tables.rows()) == list(whole.tables.rows())
    again.close()


def test_an_episode_is_in_the_journal_before_the_next_is_counted(sqlite_arena: Arena, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "results.jsonl")
    lengths: list[int] = []

    run(
        sqlite_arena,
        supervisors_for(CANARY.name)[:1],
        SCENARIOS[:3],
        record=journal,
        progress=lambda played: lengths.append(len(journal)),
    )

    assert lengths == [1, 2, 3]
    assert journal.recorded(Key("s", "a", "x", 0)) is None
    journal.close()
