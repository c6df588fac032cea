"""Opening a database, and what is said where that fails: never a path, a host or a statement."""

import sqlite3

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import TimeoutError as PoolTimeout

from releaseops_mcp.errors import StoreUnavailable
from releaseops_mcp.log.engine import Database, open_database
from releaseops_mcp.log.store import Store


def test_sqlite_is_opened_in_wal_mode_and_a_missing_folder_is_made(tmp_path, open_log):
    database = open_log(f"sqlite:///{tmp_path / 'new' / 'folder' / 'log.sqlite3'}")
    with database.reading() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 1


def test_sqlite_can_be_told_to_survive_a_loss_of_power(sqlite_url):
    database = open_database(sqlite_url, synchronous="FULL")
    with database.reading() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2
    database.close()


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("log.sqlite3", "is no database URL: use sqlite:///FILE or postgresql://USER@HOST/NAME"),
        ("sqlite://", "a log in memory would be lost with the process"),
        ("sqlite:///:memory:", "a log in memory would be lost with the process"),
        ("nosuchdb://host/name", "no driver for nosuchdb is installed"),
        ("postgresql+asyncpg://host/name", "no driver for postgresql is installed"),
    ],
)
def test_a_url_that_cannot_be_a_log_is_refused_with_advice(url, advice):
    with pytest.raises(StoreUnavailable, match=advice):
        open_database(url)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="cannot make the folder of"):
        open_database(f"sqlite:///{tmp_path / 'file' / 'log.sqlite3'}")


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path, open_log):
    file = tmp_path / "notes.txt"
    file.write_text("Not a log. " * 100)
    with pytest.raises(StoreUnavailable, match=r"\(file is not a database\): the file is no log of this arena"):
        Store(open_log(f"sqlite:///{file}"))
    assert file.read_text() == "Not a log. " * 100


def test_a_folder_in_place_of_the_file_cannot_be_opened(tmp_path, open_log):
    with pytest.raises(StoreUnavailable, match=r"\(unable to open database file\): the file cannot be opened"):
        Store(open_log(f"sqlite:///{tmp_path}"))


def test_a_server_that_is_out_of_reach_is_not_named_to_the_caller(postgres, tmp_path, open_log):
    url = postgres.partition("?")[0].format(name="log") + f"?host={tmp_path}"
    with pytest.raises(StoreUnavailable, match="PostgreSQL: no answer") as caught:
        Store(open_log(url))
    assert str(tmp_path) not in str(caught.value)
    assert "check that the database is up" in str(caught.value)


def test_a_database_that_postgres_does_not_have_is_an_error_not_a_new_log(postgres, open_log):
    with pytest.raises(StoreUnavailable, match="the log cannot be used"):
        Store(open_log(postgres.format(name="nowhere")))


def test_a_pool_without_a_free_connection_says_so(sqlite_url):
    engine = create_engine(sqlite_url, pool_size=1, max_overflow=0, pool_timeout=0.01)
    database = Database(engine)
    with (
        pytest.raises(StoreUnavailable, match="every database connection is in use") as caught,
        database.reading(),
        database.reading(),
    ):
        raise AssertionError("there is one connection")
    assert isinstance(caught.value.__cause__, PoolTimeout)
    database.close()


def test_a_failed_transaction_leaves_nothing_behind(sqlite_url, open_log):
    database = open_log(sqlite_url)
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE kept (x INTEGER)"))
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        _ = connection.execute(text("INSERT INTO kept VALUES (1)")).rowcount / 0
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as reader:
        assert reader.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    reader.close()
