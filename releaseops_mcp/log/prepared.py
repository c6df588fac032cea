"""Statements of the hot path, compiled once: SQLAlchemy still runs them, without its work per call."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult, Dialect, Insert, Update


class Prepared:
    """A statement with named values, for one dialect."""

    def __init__(self, statement: Insert | Update, names: Sequence[str], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=names)
        self._sql = str(compiled)
        self._order: list[str] | None = getattr(compiled, "positiontup", None)

    def run(self, connection: Connection, *rows: dict[str, Any]) -> CursorResult[Any]:
        """Run the statement for one row of values, or for many at once."""
        order = self._order
        if order is None:
            return connection.exec_driver_sql(self._sql, rows[0] if len(rows) == 1 else list(rows))
        values = [tuple([row[name] for name in order]) for row in rows]
        return connection.exec_driver_sql(self._sql, values[0] if len(values) == 1 else values)
