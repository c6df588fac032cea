"""Sums by group on disk: a log may hold more states than fit into memory."""

import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BATCH = 2_000


class Group(NamedTuple):
    """What was added under one key and one choice."""

    key: str
    choice: str
    mean: float
    episodes: int
    example: str
    """What came with the first figure that was added."""


class Groups:
    """Figures by key and choice, in a temporary file."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="releaseops-groups-")
        self._connection = sqlite3.connect(Path(self._folder.name) / "groups.sqlite3", isolation_level=None)
        self._connection.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "CREATE TABLE groups (key TEXT, choice TEXT, total REAL, count INTEGER, example TEXT,"
            " PRIMARY KEY (key, choice)) WITHOUT ROWID;"
        )
        self._waiting: list[tuple[str, str, float, str]] = []

    def add(self, key: str, choice: str, figure: float, example: str = "") -> None:
        """Add a figure."""
        self._waiting.append((key, choice, figure, example))
        if len(self._waiting) >= _BATCH:
            self._flush()

    def by_key(self) -> Iterator[list[Group]]:
        """Yield the groups of each key, keys and choices in order."""
        self._flush()
        query = "SELECT key, choice, total / count, count, example FROM groups ORDER BY key, choice"
        together: list[Group] = []
        for row in self._connection.execute(query):
            group = Group(*row)
            if together and together[0].key != group.key:
                yield together
                together = []
            together.append(group)
        if together:
            yield together

    def close(self) -> None:
        """Delete the file."""
        self._connection.close()
        self._folder.cleanup()

    def _flush(self) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany(
            "INSERT INTO groups VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE"
            " SET total = total + excluded.total, count = count + 1",
            self._waiting,
        )
        self._connection.execute("COMMIT")
        self._waiting.clear()
