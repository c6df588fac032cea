"""Verifying finds what was done to a log, names the first bad place, and accepts what cannot be replayed here."""

import json

import pytest
from sqlalchemy import text

from releaseops_mcp import canonical
from releaseops_mcp.audit.verify import Verified, verify, verify_export, verify_store
from releaseops_mcp.episodes.classic_canary import SUITE
from releaseops_mcp.episodes.classic_canary.episode import CanaryEpisode
from releaseops_mcp.errors import ChainBroken, LogError, SchemaTooNew, VersionMismatch
from releaseops_mcp.log.export import write_export
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.rows import EpisodeFilter
from releaseops_mcp.rewards.classic_canary.scorer import CanaryScorer
from releaseops_mcp.rewards.classic_canary.tally import CanaryTally
from releaseops_mcp.rewards.registry import scorers
from tests import toys
from tests.playing import fill, play
from tests.sequences import GATE_SCENARIO


@pytest.fixture
def ids(arena):
    """Four episodes: gate, canary, closed and running."""
    return fill(arena)


@pytest.fixture
def change(database):
    """Runs a statement behind the arena's back."""

    def run(statement: str, **values) -> None:
        with database.writing() as connection:
            if not database.is_sqlite:
                connection.execute(text("SET session_replication_role = replica"))
            connection.execute(text(statement), values)
            if not database.is_sqlite:
                connection.execute(text("SET session_replication_role = DEFAULT"))

    return run


def first_bad(store) -> str:
    with pytest.raises(LogError) as caught:
        verify_store(store)
    return caught.value.message


def test_a_log_in_order_is_reported_with_what_was_checked(arena, ids):
    told = []
    report = verify_store(arena.store, lambda done, total: told.append((done, total)))
    events = sum(row.count for row in arena.store.stream())
    assert report == Verified(4, events, 4, {}, 3, {"still running": 1})
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_export_is_verified_without_a_database(arena, ids, tmp_path):
    events = sum(row.count for row in arena.store.stream())
    for with_truth in (False, True):
        write_export(arena.store, tmp_path / "log.jsonl", with_truth=with_truth)
        report = verify_export(tmp_path / "log.jsonl")
        assert report == Verified(4, events, 4, {}, 0, {"an export holds no scores": 4})


def test_an_empty_log_is_in_order(arena):
    assert verify_store(arena.store) == Verified(0, 0, 0, {}, 0, {})


def test_chosen_episodes_are_verified_alone(arena, ids):
    assert verify(DatabaseLog(arena.store, EpisodeFilter(ids=(ids[2],)))).episodes == 1


def test_an_altered_event_is_named(arena, ids, change):
    change("UPDATE events SET body = replace(body, 'hold', 'help') WHERE episode = 2 AND seq = 3")
    assert first_bad(arena.store) == f"{ids[1]} event 3: its content does not have its hash: it was altered"


def test_a_removed_event_is_named(arena, ids, change):
    change("DELETE FROM events WHERE episode = 2 AND seq = 3")
    assert first_bad(arena.store).startswith(f"{ids[1]} event 3: number 4 stands in its place")


def test_reordered_events_are_named(arena, ids, change):
    change("UPDATE events SET seq = 99 WHERE episode = 2 AND seq = 3")
    change("UPDATE events SET seq = 3 WHERE episode = 2 AND seq = 4")
    change("UPDATE events SET seq = 4 WHERE episode = 2 AND seq = 99")
    assert first_bad(arena.store).startswith(f"{ids[1]} event 3: it does not belong here")


def test_a_lost_tail_is_named(arena, ids, change):
    count = arena.store.episode(ids[1]).count
    change("DELETE FROM events WHERE episode = 2 AND seq >= :seq", seq=count - 2)
    assert f"event {count - 2} is the first difference" in first_bad(arena.store)


def test_events_beyond_the_count_are_named(arena, ids, change):
    copied = "SELECT episode, seq + 50, kind, body, hash FROM events WHERE episode = 2 AND seq = 3"
    change(f"INSERT INTO events (episode, seq, kind, body, hash) {copied}")
    assert first_bad(arena.store).startswith(f"{ids[1]} event 53: its row counts")


@pytest.mark.parametrize("number", [1, 3, 4])
def test_a_lost_episode_is_named(arena, ids, change, number):
    for table, column in (("events", "episode"), ("scores", "episode"), ("episodes", "number")):
        change(f"DELETE FROM {table} WHERE {column} = :number", number=number)
    assert first_bad(arena.store).startswith(f"episode number {number} is lost (")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("steps", 99),
        ("ended", False),
        ("terminal_reason", "safe_ship"),
        ("scenario", "classic-canary/hard/seed-0"),
        ("suite", "classic-gate"),
        ("family", "hard"),
        ("agent", "someone else"),
        ("started_ms", 1),
        ("updated_ms", 1),
    ],
)
def test_a_row_that_tells_another_story_than_its_events_is_named(arena, ids, change, column, value):
    change(f"UPDATE episodes SET {column} = :value WHERE number = 2", value=value)
    assert first_bad(arena.store).startswith(f"{ids[1]}: its row says {column} {value!r} and its events say ")


def test_an_altered_score_is_named(arena, ids, change):
    change("UPDATE scores SET total = 0.99 WHERE episode = 2")
    assert first_bad(arena.store).startswith(f"{ids[1]}: its stored score is 0.99 and its events come to 0.")


def test_an_altered_truth_is_named(arena, ids, change):
    change("UPDATE truths SET truth = replace(truth, 'easy', 'hard') WHERE suite = 'classic-canary'")
    assert first_bad(arena.store).startswith(f"{ids[1]}: the stored truth of its world is not what the scenario")


def test_a_missing_truth_is_named(arena, ids, change):
    change("DELETE FROM truths WHERE suite = 'classic-canary'")
    assert "is missing: restore the log from a copy" in first_bad(arena.store)


def test_an_event_of_a_newer_schema_asks_for_a_newer_package(arena, ids, change):
    row, links = arena.store.chain(2)
    body = canonical.dumps(json.loads(links[0].body) | {"v": 2})
    change(
        "UPDATE events SET body = :body, hash = :hash WHERE episode = 2 AND seq = 0",
        body=body,
        hash=canonical.sha256(body),
    )
    with pytest.raises(SchemaTooNew, match=f"{row.id} event 0: schema 2 is newer than 1"):
        verify_store(arena.store)


def test_what_cannot_be_replayed_here_is_reported_and_no_failure(arena, ids, monkeypatch):
    monkeypatch.setattr(type(SUITE), "version", "2.0.0")
    report = verify_store(arena.store)
    assert report.not_replayable == {"played on classic-canary 1.0.0, and 2.0.0 is here": 2}
    assert (report.replayed, report.rescored) == (2, 3)


def test_another_observation_under_the_same_version_is_a_failure_with_its_place(arena, ids, monkeypatch):
    shown = CanaryEpisode.observe
    monkeypatch.setattr(CanaryEpisode, "observe", lambda self: shown(self) | {"step": 99})
    with pytest.raises(VersionMismatch, match=f"{ids[1]} event 0: its world shows another first observation"):
        verify_store(arena.store)


def test_code_that_fails_on_an_old_call_is_a_failure_with_its_place(arena, ids, monkeypatch):
    def fail(self, tool, arguments):
        raise KeyError(tool)

    monkeypatch.setattr(CanaryEpisode, "call", fail)
    with pytest.raises(VersionMismatch, match=rf"{ids[1]}: making its calls again failed \(KeyError\)"):
        verify_store(arena.store)


def test_a_score_of_an_older_reward_is_reported_and_no_failure(arena, ids, monkeypatch):
    monkeypatch.setattr(CanaryScorer, "version", "2.0.0")
    monkeypatch.setattr(CanaryTally, "version", "2.0.0")
    report = verify_store(arena.store)
    reason = "scored by classic-canary 1.0.0, and 2.0.0 is here: re-score the log"
    assert (report.rescored, report.not_rescored) == (1, {reason: 2, "still running": 1})


def test_a_score_that_is_missing_is_unscored_and_no_failure(arena, ids, change):
    change("DELETE FROM scores WHERE episode = 1")
    assert verify_store(arena.store).not_rescored["no score is stored: re-score the log"] == 1


def test_a_suite_without_a_scorer_is_unscored_and_no_failure(arena, monkeypatch):
    toys.install(monkeypatch)
    play(arena, toys.SCENARIO, [("decide", {"verdict": "ship"})])
    monkeypatch.delitem(scorers(), "toy")
    monkeypatch.delitem(toys.suites(), "toy")
    report = verify_store(arena.store)
    assert report.not_rescored == {"no reward for suite toy is installed": 1}
    assert report.not_replayable == {"played on toy 1.0.0, and not installed is here": 1}


def test_an_episode_that_starts_while_the_log_is_verified_does_no_harm(arena, ids):
    def start(done: int, total: int) -> None:
        if done == 1:
            play(arena, GATE_SCENARIO)

    assert verify_store(arena.store, start).episodes == 5


def test_an_episode_that_goes_on_while_the_log_is_verified_does_no_harm(arena, ids):
    def move(done: int, total: int) -> None:
        for episode_id in ids:
            arena.call(episode_id, "hold_release", {"reason_code": "awaiting_fix"})

    assert verify_store(arena.store, move).episodes == 4
    assert verify_store(arena.store).episodes == 4


def test_a_broken_export_is_named_by_its_line(arena, ids, tmp_path):
    write_export(arena.store, tmp_path / "log.jsonl")
    lines = (tmp_path / "log.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "log.jsonl").write_text("".join(lines[:3] + lines[4:]))
    with pytest.raises(ChainBroken, match=f"line 4: {ids[0]} event 3: number 4 stands in its place"):
        verify_export(tmp_path / "log.jsonl")
