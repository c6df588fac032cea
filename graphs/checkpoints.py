"""Where the state of runs is kept: a SQLite file by default, Postgres by URL.

Only plain JSON types and messages are read back: a checkpoint can name no other class.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from releaseops_mcp.errors import InvalidArgument

POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")
"""Schemes of a URL, as libpq and as SQLAlchemy spell them."""
BUSY_SECONDS = 30.0
"""How long a writer waits for another process on the same file."""


@asynccontextmanager
async def open_checkpointer(where: str) -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    """Open a checkpointer for as long as the block lasts; raises InvalidArgument where its extra is not installed."""
    scheme, separator, rest = where.partition("://")
    if separator and scheme not in POSTGRES:
        raise InvalidArgument(f"checkpoints go to a SQLite file or to postgresql://..., not to {scheme}://")
    opened = _postgres(f"postgresql://{rest}") if separator else _sqlite(Path(where))
    async with opened as saver:
        yield saver


@asynccontextmanager
async def _sqlite(file: Path) -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    file.parent.mkdir(parents=True, exist_ok=True)
    async with aiosqlite.connect(file, timeout=BUSY_SECONDS) as connection:
        await connection.execute("PRAGMA journal_mode=WAL")
        await connection.execute("PRAGMA synchronous=NORMAL")  # as the log: survives kill -9
        yield AsyncSqliteSaver(connection, serde=_strict())


@asynccontextmanager
async def _postgres(url: str) -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    except ImportError as error:
        raise InvalidArgument("checkpoints in Postgres need langgraph-checkpoint-postgres: install it") from error

    async with AsyncPostgresSaver.from_conn_string(url, serde=_strict()) as saver:
        await saver.setup()
        yield saver


def _strict() -> JsonPlusSerializer:
    return JsonPlusSerializer(allowed_msgpack_modules=None)
