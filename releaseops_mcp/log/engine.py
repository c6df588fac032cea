"""Opens the log's database: SQLite in WAL mode as the embedded default, Postgres where many processes serve."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from releaseops_mcp.errors import StoreUnavailable

Synchronous = Literal["NORMAL", "FULL"]
"""NORMAL survives the death of the process; FULL the loss of power too, at about three times the cost."""

SQLITE_BUSY_SECONDS = 30.0
"""How long a writer waits for another process before it gives up."""


class Database:
    """An engine with one way to read and one way to write."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._writer = Lock()

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """Give a connection to read with; raises StoreUnavailable.

        On SQLite each statement reads its own snapshot.
        """
        with _mapped(self.engine), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """Give a connection inside a write transaction, committed at the end; raises StoreUnavailable.

        SQLite has one writer at a time: threads of this process queue on a lock, which is fair and wakes at once, and
        only processes among each other meet SQLite's own busy wait.
        """
        with _mapped(self.engine):
            if self.is_sqlite:
                with self._writer, self.engine.begin() as connection:
                    yield connection
            else:
                with self.engine.begin() as connection:
                    yield connection

    def close(self) -> None:
        """Close every pooled connection."""
        self.engine.dispose()


def open_database(
    url: str, *, synchronous: Synchronous = "NORMAL", busy_seconds: float = SQLITE_BUSY_SECONDS
) -> Database:
    """Return the database of an SQLAlchemy URL (`sqlite:///FILE` or `postgresql://...`); raises StoreUnavailable."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreUnavailable(
            f"{url!r} is no database URL: use sqlite:///FILE or postgresql://USER@HOST/NAME"
        ) from error
    if parsed.get_backend_name() == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise StoreUnavailable(
                "a log in memory would be lost with the process: name a file, as in sqlite:///log.sqlite3"
            )
        return Database(_sqlite(parsed.database, synchronous, busy_seconds))
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    try:
        return Database(create_engine(parsed, pool_size=16, max_overflow=48))
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreUnavailable(
            f"no driver for {parsed.get_backend_name()} is installed: pip install 'releaseops-arena[postgres]'"
        ) from error


def _sqlite(path: str, synchronous: Synchronous, busy_seconds: float) -> Engine:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"cannot make the folder of {path}: {error.strerror}") from error
    # "IMMEDIATE": the driver opens a write transaction before the first statement that changes a row, none for reads.
    arguments = {"timeout": busy_seconds, "isolation_level": "IMMEDIATE"}
    engine = create_engine(f"sqlite:///{path}", connect_args=arguments, pool_size=16, max_overflow=48)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={synchronous}")
        cursor.close()

    return engine


@contextmanager
def _mapped(engine: Engine) -> Generator[None]:
    """Raise StoreUnavailable, saying what to do, for any failure of the database."""
    try:
        yield
    except DBAPIError as error:
        raise StoreUnavailable(_advice(engine, str(error.orig))) from error
    except PoolTimeout as error:
        raise StoreUnavailable(
            "every database connection is in use: try again, or serve fewer episodes at once"
        ) from error


_ADVICE = (
    ("locked", "another process holds the log for too long: try again, or use Postgres where many processes write"),
    ("readonly", "the log may not be written: make the file and its folder writable"),
    ("full", "the disk is full: free some space and call again, nothing was half written"),
    ("malformed", "the file is damaged: restore it from a copy"),
    ("not a database", "the file is no log of this arena: name another with RELEASEOPS_DATABASE_URL"),
    ("unable to open", "the file cannot be opened: check the path and its permissions"),
)


def _advice(engine: Engine, driver_says: str) -> str:
    """Return a message for any reader: it names no path, host or statement."""
    said = driver_says.splitlines()[0] if engine.dialect.name == "sqlite" else "PostgreSQL does not answer"
    advice = next((text for word, text in _ADVICE if word in driver_says.lower()), "check that the database is up")
    return f"the log cannot be used ({said}): {advice}"
