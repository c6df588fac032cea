"""The store keeps events, projection and scores in step, whoever writes, on SQLite and on Postgres."""

import sqlite3
from contextlib import closing, contextmanager
from threading import Barrier, Thread

import pytest
from sqlalchemy import event, text

from releaseops_mcp.errors import ChainBroken, SchemaTooNew, StoreUnavailable
from releaseops_mcp.events import EpisodeEnd
from releaseops_mcp.log import engine, tables
from releaseops_mcp.log.chain import GENESIS, check, forge
from releaseops_mcp.log.rows import Append, EpisodeDraft, EpisodeFilter, ScoreDraft
from releaseops_mcp.log.store import Store
from tests.log.test_chain import START
from tests.playing import fill, kinds, play
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, UNKNOWN_ARTIFACT, decision

SCORE = ScoreDraft("toy", "1.0.0", "0" * 64, 0.25, {"metrics": {"steps": 1}})


def create(store: Store, episode_id: str = "ep_1", **changed) -> int:
    link = forge(episode_id, 0, GENESIS, 1000, START)
    named = {"scenario": "s", "suite": "toy", "family": "f", "agent": "", "world_hash": "w", "truth": {"answer": 1}}
    return store.create(EpisodeDraft(id=episode_id, **named | changed), [link], 1000)


def ending(store: Store, number: int, *, score: ScoreDraft | None = None, steps: int = 1) -> Append:
    row, _ = store.chain(number)
    link = forge(row.id, row.count, row.head, 2000, EpisodeEnd(reason="done", steps=steps))
    return Append(row.count, [link], 2000, steps, True, "done", score)


def test_a_new_episode_is_found_by_its_id_with_its_first_event(store):
    number = create(store)
    row = store.episode("ep_1")
    assert (row.number, row.scenario, row.steps, row.ended, row.count) == (number, "s", 0, False, 1)
    assert [link.kind for link in store.chain(number)[1]] == ["episode_start"]
    assert store.truth("w") == {"answer": 1}


def test_what_is_not_there_is_none_or_an_error_that_says_so(store):
    assert store.episode("ep_none") is None
    assert store.ticketed("scn_none") is None
    with pytest.raises(ChainBroken, match="the truth of world nowhere is missing"):
        store.truth("nowhere")


def test_an_append_moves_events_projection_and_score_together(store):
    number = create(store)
    assert store.append(number, ending(store, number, score=SCORE))
    row, links = store.chain(number)
    assert (row.steps, row.ended, row.terminal_reason, row.updated_ms) == (1, True, "done", 2000)
    assert len(list(check(row.id, links, count=row.count, head=row.head))) == 2
    (score,) = store.scores(number)
    assert (score.total, score.at_count, score.body, score.supersedes) == (0.25, 2, SCORE.body, None)


def test_the_second_of_two_writers_writes_nothing_and_is_told_so(store):
    number = create(store)
    first, second = ending(store, number, score=SCORE), ending(store, number, score=SCORE, steps=9)
    assert store.append(number, first)
    assert not store.append(number, second)
    assert store.chain(number)[0].steps == 1
    assert len(store.scores(number)) == 1


def test_a_score_supersedes_the_one_before_and_none_is_lost(store):
    number, other = create(store), create(store, "ep_2")
    for each in (number, other, number):
        store.add_score(each, 1, 3000, SCORE)
    first, second = store.scores(number)
    assert (first.supersedes, second.supersedes) == (None, first.id)


def test_numbers_have_no_gaps_even_where_a_start_fails(store):
    create(store)
    with pytest.raises(StoreUnavailable):
        create(store)
    assert (create(store, "ep_2"), store.started()) == (2, 2)


def test_threads_that_start_episodes_at_once_get_different_numbers(store):
    barrier = Barrier(8)

    def start(name: int) -> None:
        barrier.wait()
        create(store, f"ep_{name}")

    threads = [Thread(target=start, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row.number for row in store.stream()] == list(range(1, 9))


def test_episodes_are_listed_by_what_was_chosen_and_in_pages(store):
    for name in range(1, 6):
        create(store, f"ep_{name}", suite="toy" if name % 2 else "other", agent="me" if name == 3 else "you")
    store.append(1, ending(store, 1))

    def ids(**chosen):
        return [row.id for row in store.stream(EpisodeFilter(**chosen))]

    assert ids(suite="toy") == ["ep_1", "ep_3", "ep_5"]
    assert ids(agent="me") == ["ep_3"]
    assert ids(ended=True) == ["ep_1"]
    assert ids(ended=False, suite="toy") == ["ep_3", "ep_5"]
    assert ids(ids=("ep_2", "ep_4", "ep_none")) == ["ep_2", "ep_4"]
    assert [row.id for row in store.episodes(after=2, limit=2)] == ["ep_3", "ep_4"]
    assert (store.count(), store.count(EpisodeFilter(suite="toy"))) == (5, 3)


def test_a_stream_reads_page_after_page(store, monkeypatch):
    for name in range(1, 6):
        create(store, f"ep_{name}")
    everything = store.episodes
    monkeypatch.setattr(store, "episodes", lambda chosen, *, after: everything(chosen, after=after, limit=2))
    assert [row.number for row in store.stream()] == [1, 2, 3, 4, 5]


def test_open_episodes_are_counted_until_they_are_idle(store):
    create(store)
    create(store, "ep_2")
    store.append(1, ending(store, 1))
    assert (store.count_open(999), store.count_open(1000)) == (1, 0)


def test_tickets_are_found_and_completed(store):
    store.add_tickets([("scn_b", "toy/2"), ("scn_a%", "toy/1"), ("scn_a_", "toy/3")], 1000)
    assert store.ticketed("scn_b") == "toy/2"
    assert store.tickets("scn_a", 10) == ["scn_a%", "scn_a_"]
    assert store.tickets("scn_%", 10) == [], "what stands for any text elsewhere is a letter here"
    assert store.tickets("", 1) == ["scn_a%"]


def test_an_event_beyond_the_count_is_found(store, database):
    number = create(store)
    assert store.stray_event(number) is None
    with database.writing() as connection:
        connection.execute(text("UPDATE episodes SET count = 0"))
    assert store.stray_event(number) == 0


def test_a_log_that_exists_is_opened_and_not_made_anew(store, url, open_log):
    create(store)
    assert Store(open_log(url)).episode("ep_1") is not None


def test_two_processes_that_make_the_log_at_once_make_one(url, open_log):
    databases = [open_log(url) for _ in range(4)]
    barrier = Barrier(4)
    opened: list[Store] = []

    def start(database) -> None:
        barrier.wait()
        opened.append(Store(database))

    threads = [Thread(target=start, args=(database,)) for database in databases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [store.started() for store in opened] == [0] * 4


@pytest.fixture
def held(tmp_path):
    """A new SQLite file that another connection holds as if it were making it, and that connection."""
    path = tmp_path / "held.sqlite3"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    yield f"sqlite:///{path}", other
    other.close()


def test_a_file_that_another_is_making_is_tried_again(held, monkeypatch, open_log):
    url, other = held
    pauses = []

    def release(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            other.execute("COMMIT")

    monkeypatch.setattr(engine, "pause", release)
    assert Store(open_log(url)).started() == 0
    assert len(pauses) == 2


def test_a_file_that_another_goes_on_holding_is_given_up(held, monkeypatch):
    url, _ = held
    pauses = []
    monkeypatch.setattr(engine, "pause", pauses.append)
    with pytest.raises(StoreUnavailable, match="another process holds the log for too long"):
        Store(engine.open_database(url, busy_seconds=0.1))
    assert len(pauses) == 5


def test_tables_of_a_newer_version_are_left_alone(store, database, url, open_log):
    create(store)
    with database.writing() as connection:
        connection.execute(tables.counters.update().where(tables.counters.c.name == "store_version").values(value=2))
    with pytest.raises(SchemaTooNew, match="the log's tables have version 2 and this package knows 1: use a newer"):
        Store(open_log(url))
    assert store.started() == 1


# What goes wrong with a SQLite file while an arena plays on it: nothing is half written, and the episode goes on.


@contextmanager
def every_connection(arena, pragma: str):
    """Run a pragma on every connection of an arena's database, until the block ends."""
    engine = arena.store._database.engine

    def prepare(connection, _record) -> None:
        connection.execute(pragma)

    event.listen(engine, "connect", prepare)
    engine.dispose()
    yield
    event.remove(engine, "connect", prepare)
    engine.dispose()


def until_refused(write) -> str:
    """Write until the log takes no more, and return what it says then."""
    for _ in range(200):
        try:
            write()
        except StoreUnavailable as error:
            return error.message
    raise AssertionError("the log took everything")


def assert_goes_on(arena, episode_id: str, before: list[str]) -> None:
    assert kinds(arena.store, episode_id) == before
    answer = arena.call(episode_id, *HOLD)
    assert (answer.refusal, answer.step) == (None, 1)
    assert kinds(arena.store, episode_id) == [*before, "tool_call", "tool_result"]


@pytest.mark.parametrize(
    ("pragma", "advice"),
    [
        ("PRAGMA query_only=ON", "readonly database): the log may not be written: make the file and its folder"),
        ("PRAGMA max_page_count=1", "is full): the disk is full: free some space and call again, nothing was half"),
    ],
    ids=["read-only", "full"],
)
def test_a_log_that_takes_no_more_refuses_the_call_and_the_episode_goes_on_later(sqlite_arena, pragma, advice):
    episode_id = play(sqlite_arena, GATE_SCENARIO)
    before = kinds(sqlite_arena.store, episode_id)
    with every_connection(sqlite_arena, pragma):
        refused = until_refused(lambda: sqlite_arena.call(episode_id, "inspect_pr_diff", {"pr_id": "x" * 4000}))
        until_refused(lambda: play(sqlite_arena, GATE_SCENARIO))
    assert advice in refused
    written = kinds(sqlite_arena.store, episode_id)
    assert written[len(before) :] == ["tool_call", "tool_result"] * ((len(written) - len(before)) // 2)
    numbers = [row.number for row in sqlite_arena.store.stream()]
    assert numbers == list(range(1, sqlite_arena.store.started() + 1))
    answer = sqlite_arena.call(episode_id, *HOLD)
    assert (answer.refusal, answer.step) == (None, (len(written) - len(before)) // 2 + 1)


def test_a_locked_log_refuses_the_call_and_the_episode_goes_on_later(sqlite_arena, sqlite_url):
    episode_id = play(sqlite_arena, GATE_SCENARIO)
    before = kinds(sqlite_arena.store, episode_id)
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreUnavailable, match=r"database is locked.*: another process holds the log for too long"):
            sqlite_arena.call(episode_id, *HOLD)
        with pytest.raises(StoreUnavailable, match="database is locked"):
            sqlite_arena.start(CANARY_SCENARIO)
        assert kinds(sqlite_arena.store, episode_id) == before, "reading goes on"
    assert_goes_on(sqlite_arena, episode_id, before)


def test_a_file_that_is_locked_while_it_is_opened_is_an_error_with_advice(sqlite_url, open_log):
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreUnavailable, match="database is locked"):
            Store(open_log(sqlite_url))
    assert Store(open_log(sqlite_url)).started() == 0


def test_a_damaged_file_is_an_error_with_advice(sqlite_arena, sqlite_url, open_log):
    fill(sqlite_arena)
    sqlite_arena.close()
    path = sqlite_url.removeprefix("sqlite:///")
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 40_960)
    with pytest.raises(StoreUnavailable, match=r"malformed.*: the file is damaged: restore it from a copy"):
        list(Store(open_log(sqlite_url)).stream())


def test_a_postgres_that_may_only_be_read_says_so(postgres_url, open_log):
    Store(open_log(postgres_url))
    readonly = Store(open_log(f"{postgres_url}%20-cdefault_transaction_read_only%3Don"))
    with pytest.raises(StoreUnavailable, match=r"SQLSTATE 25006.*: the log may not be written: let this user"):
        create(readonly)
    assert readonly.started() == 0


def test_calls_of_both_classics_are_counted_alike_on_both_databases(arena):
    gate = play(arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT, HOLD])
    canary = play(arena, CANARY_SCENARIO, [decision("hold"), decision("nonsense")])
    assert [arena.store.episode(each).steps for each in (gate, canary)] == [2, 2]
