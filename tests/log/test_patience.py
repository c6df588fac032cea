"""What must not wait gives way at once, and leaves nothing behind."""

import sqlite3
from threading import Lock

import pytest

from releaseops_mcp.log.engine import open_database
from releaseops_mcp.log.patience import WouldWait, held, patient, without_waiting
from tests.sequences import CANARY_SCENARIO, decision

HOLD = decision("hold")


def test_a_caller_is_patient_outside_the_block_alone():
    with without_waiting():
        assert not patient()
    assert patient()


def test_a_lock_that_another_holds_is_not_waited_for():
    lock = Lock()
    lock.acquire()
    with without_waiting(), pytest.raises(WouldWait), held(lock):
        pytest.fail("the lock was taken twice")
    lock.release()
    with without_waiting(), held(lock):
        assert lock.locked()
    assert not lock.locked()


def test_a_call_behind_another_process_gives_way_and_counts_once_when_it_is_made_again(sqlite_arena, sqlite_url):
    episode_id = sqlite_arena.start(CANARY_SCENARIO).episode_id
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with without_waiting(), pytest.raises(WouldWait):
        sqlite_arena.call(episode_id, *HOLD)
    other.execute("ROLLBACK")
    other.close()

    assert sqlite_arena.call(episode_id, *HOLD).step == 1
    assert sqlite_arena.peek(episode_id).step == 1


def test_an_episode_that_must_be_rebuilt_first_gives_way(sqlite_arena):
    with without_waiting(), pytest.raises(WouldWait):
        sqlite_arena.observe("ep_that_is_not_in_memory")


def test_a_call_in_memory_is_made_at_once(sqlite_arena):
    episode_id = sqlite_arena.start(CANARY_SCENARIO).episode_id
    with without_waiting():
        assert sqlite_arena.call(episode_id, *HOLD).step == 1


def test_a_log_that_survives_power_loss_is_never_written_in_a_hurry(sqlite_url):
    database = open_database(sqlite_url, synchronous="FULL")
    with without_waiting(), pytest.raises(WouldWait), database.writing():
        pytest.fail("a write to disk was not waited for")
    database.close()


def test_what_follows_a_write_may_wait_so_that_nothing_is_done_twice(sqlite_arena):
    with without_waiting():
        started = sqlite_arena.start(CANARY_SCENARIO)
        assert patient()
        assert sqlite_arena.score(started.episode_id).total == 0.0
