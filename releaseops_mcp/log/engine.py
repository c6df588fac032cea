"""Opens the log's database: SQLite in WAL mode as the embedded default, Postgres where many processes serve."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event, Lock
from typing import Any, Literal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from releaseops_mcp.errors import StoreUnavailable
from releaseops_mcp.log.patience import WouldWait, held, note_written, patient

Synchronous = Literal["NORMAL", "FULL"]
"""NORMAL survives the death of the process; FULL the loss of power too, at about three times the cost."""

SQLITE_BUSY_SECONDS = 30.0
"""How long a writer waits for another process before it gives up."""
SWITCH_PAUSE_SECONDS = 0.02
"""Between two tries to switch a new file to WAL mode."""


class Database:
    """An engine with one way to read and one way to write."""

    def __init__(self, engine: Engine, hurried: Engine | None = None) -> None:
        self.engine = engine
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._hurried = hurried
        """An engine that never waits for another process, where a write is short enough for an event loop."""
        self._writer = Lock()
        self._driver_error: type[Exception] = engine.dialect.loaded_dbapi.Error

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """Give a connection to read with; raises StoreUnavailable.

        On SQLite each statement reads its own snapshot.
        """
        if not patient():
            raise WouldWait
        with self._mapped(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """Give a connection inside a write transaction, committed at the end; raises StoreUnavailable.

        SQLite has one writer at a time: threads of this process queue on a lock, which is fair and wakes at once, and
        only processes among each other meet SQLite's own busy wait. WouldWait is raised where the caller may not wait.
        """
        with self._mapped(), self._turn() as engine, engine.begin() as connection:
            yield connection
        note_written()

    @contextmanager
    def cursor(self) -> Generator[DBAPICursor]:
        """Give a driver's cursor inside a write transaction, as `writing` does: for prepared statements."""
        with self._mapped(), self._turn() as engine:
            connection = engine.raw_connection()
            try:
                cursor = connection.cursor()
                yield cursor
                cursor.close()
                connection.commit()
            finally:
                connection.close()  # rolls back what was not committed
        note_written()

    def close(self) -> None:
        """Close every pooled connection."""
        for engine in filter(None, (self.engine, self._hurried)):
            engine.dispose()

    def unavailable(self, error: Exception) -> StoreUnavailable:
        """Return what to raise for a failure of the database: for any reader, it names no path, host or statement."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        driver_says = str(cause)
        said = driver_says.splitlines()[0] if self.is_sqlite else f"PostgreSQL: {_sqlstate(cause)}"
        advice = next((text for word, text in _ADVICE if word in driver_says.lower()), "check that the database is up")
        return StoreUnavailable(f"the log cannot be used ({said}): {advice}")

    @contextmanager
    def _turn(self) -> Generator[Engine]:
        """Wait for the turn to write, and give the engine to write with; raises WouldWait."""
        engine = self.engine if patient() else self._hurried
        if engine is None:
            raise WouldWait
        with held(self._writer) if self.is_sqlite else nullcontext():
            yield engine

    @contextmanager
    def _mapped(self) -> Generator[None]:
        """Raise StoreUnavailable, saying what to do, for any failure of the database."""
        try:
            yield
        except (DBAPIError, self._driver_error) as error:
            if not patient() and "locked" in str(error):
                raise WouldWait from error
            raise self.unavailable(error) from error
        except PoolTimeout as error:
            raise StoreUnavailable(
                "every database connection is in use: try again, or serve fewer episodes at once"
            ) from error


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
        hurried = _sqlite(parsed, parsed.database, synchronous, 0.0) if synchronous == "NORMAL" else None
        return Database(_sqlite(parsed, parsed.database, synchronous, busy_seconds), hurried)
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    try:
        return Database(create_engine(parsed, pool_size=16, max_overflow=48))
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreUnavailable(
            f"no driver for {parsed.get_backend_name()} is installed: pip install 'releaseops-arena[postgres]'"
        ) from error


def _sqlite(url: URL, path: str, synchronous: Synchronous, busy_seconds: float) -> Engine:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"cannot make the folder of {path}: {error.strerror}") from error
    # "IMMEDIATE": the driver opens a write transaction before the first statement that changes a row, none for reads.
    arguments = {"timeout": busy_seconds, "isolation_level": "IMMEDIATE"}
    engine = create_engine(url, connect_args=arguments, pool_size=16, max_overflow=48)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        cursor = connection.cursor()
        _switch_to_wal(cursor, busy_seconds)
        cursor.execute(f"PRAGMA synchronous={synchronous}")
        cursor.close()

    return engine


def _switch_to_wal(cursor: sqlite3.Cursor, busy_seconds: float) -> None:
    """Switch the file to WAL mode; raises sqlite3.OperationalError where another process holds it for too long.

    Where several connections open a new file at once, SQLite refuses all but one of them without waiting, since each
    holds what the others wait for: those try again, and find the switch made.
    """
    tries = 1 + round(busy_seconds / SWITCH_PAUSE_SECONDS)
    cursor.execute(f"PRAGMA busy_timeout={round(1000 * min(SWITCH_PAUSE_SECONDS, busy_seconds))}")
    for left in reversed(range(tries)):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or not left:
                raise
        pause(SWITCH_PAUSE_SECONDS)
    cursor.execute(f"PRAGMA busy_timeout={round(1000 * busy_seconds)}")


def pause(seconds: float) -> None:
    """Wait."""
    Event().wait(seconds)


_ADVICE = (
    ("locked", "another process holds the log for too long: try again, or use Postgres where many processes write"),
    ("readonly", "the log may not be written: make the file and its folder writable"),
    ("read-only", "the log may not be written: let this user write to the database"),
    ("no space left", "the disk is full: free some space and call again, nothing was half written"),
    ("full", "the disk is full: free some space and call again, nothing was half written"),
    ("malformed", "the file is damaged: restore it from a copy"),
    ("not a database", "the file is no log of this arena: name another with RELEASEOPS_DATABASE_URL"),
    ("unable to open", "the file cannot be opened: check the path and its permissions"),
)


def _sqlstate(error: BaseException | None) -> str:
    state: str | None = getattr(error, "sqlstate", None)
    return f"SQLSTATE {state}" if state else "no answer"
