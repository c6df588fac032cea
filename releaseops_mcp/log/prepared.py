"""Statements of the hot path, compiled once by SQLAlchemy and run on the driver's own cursor."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Dialect, Insert, Update
from sqlalchemy.engine.interfaces import DBAPICursor


class Prepared:
    """A statement with named values, for one dialect."""

    def __init__(self, statement: Insert | Update, names: Sequence[str], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=names)
        self._sql = str(compiled)
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        self._order: list[str] | None = getattr(compiled, "positiontup", None)

    def run(self, cursor: DBAPICursor, row: dict[str, Any]) -> int:
        """Run the statement for one row of values; return how many rows of the table it touched."""
        cursor.execute(self._sql, self._values(row))
        return cursor.rowcount

    def fetch(self, cursor: DBAPICursor) -> Any:
        """Run the statement, which returns one value, and return that."""
        cursor.execute(self._sql, self._values({}))
        row: Any = cursor.fetchone()
        return row[0]

    def run_many(self, cursor: DBAPICursor, rows: Sequence[dict[str, Any]]) -> None:
        """Run the statement for each row of values."""
        cursor.executemany(self._sql, [self._values(row) for row in rows])

    def _values(self, row: dict[str, Any]) -> Any:
        row = self._fixed | row if self._fixed else row
        return row if self._order is None else tuple([row[name] for name in self._order])
