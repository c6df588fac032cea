"""Blobs beside the log: bytes under their SHA-256, which events name (`token_ids_sha256`, `logprobs_sha256`).

The chain covers the names, so a blob that was altered shows when it is read. Exports hold the names alone. The table
is made by the first write: a log from before it is read, verified and exported as it always was.

Token ids are little-endian int32, their log-probabilities little-endian float16, in the order of the tokens.
"""

import hashlib
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from sqlalchemy import inspect, select
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.log.engine import Database
from releaseops_mcp.log.tables import blobs

if TYPE_CHECKING:
    import numpy.typing as npt

TOKEN_IDS, LOGPROBS = "<i4", "<f2"
"""Their types, in numpy's words."""
_AT_ONCE = 500
"""Names a query: SQLite takes a limited number of parameters."""


class Blobs:
    """The blobs of one log; safe to use from many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._insert = (sqlite_insert if database.is_sqlite else postgres_insert)(blobs).on_conflict_do_nothing()
        self._made = False
        self._making = Lock()

    def put(self, contents: Iterable[bytes]) -> list[str]:
        """Store contents in one transaction and return their names, in order; what is there already stays."""
        named = [(name_of(data), data) for data in contents]
        if named:
            self._make()
            with self._database.writing() as connection:
                connection.execute(self._insert, [{"sha256": name, "data": data} for name, data in named])
        return [name for name, _ in named]

    def get(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the blobs of these names; raises ChainBroken where one is missing or altered."""
        found: dict[str, bytes] = {}
        for start in range(0, len(names) if self._exists() else 0, _AT_ONCE):
            query = select(blobs).where(blobs.c.sha256.in_(names[start : start + _AT_ONCE]))
            with self._database.reading() as connection:
                found |= {row.sha256: bytes(row.data) for row in connection.execute(query)}
        for name in names:
            if name not in found or name_of(found[name]) != name:
                state = "was altered" if name in found else "is not in this log"
                raise ChainBroken(f"blob {name} {state}: restore the log from a copy, or leave out what it belongs to")
        return {name: found[name] for name in names}

    def _exists(self) -> bool:
        if not self._made:
            with self._database.reading() as connection:
                self._made = inspect(connection).has_table(blobs.name)
        return self._made

    def _make(self) -> None:
        with self._making:
            if not self._exists():
                with self._database.writing() as connection:
                    blobs.create(connection, checkfirst=True)
                self._made = True


def name_of(data: bytes) -> str:
    """Return the hex SHA-256 under which a blob is kept."""
    return hashlib.sha256(data).hexdigest()


def token_blobs(token_ids: "npt.ArrayLike", logprobs: "npt.ArrayLike") -> tuple[bytes, bytes]:
    """Return tokens and their log-probabilities, shape (tokens,) each, as two blobs."""
    import numpy as np  # a server that captures nothing starts without it

    return np.asarray(token_ids, TOKEN_IDS).tobytes(), np.asarray(logprobs, LOGPROBS).tobytes()
