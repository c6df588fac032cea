"""Reads a table with a row a bucket of time and a column an arm.

Columns, in any order and case:

- `time`: seconds, or a date in ISO 8601 (UTC where no zone is given); without it, rows count from 0.
- `metric`: the name of the row's metric; without it, the file's name.
- `canary`, `baseline`, `stable`: values. An empty cell or `NaN` is no value.
- `canary_events`, `canary_totals` and so on: counts in place of values, or beside them.

Other columns are left aside. Cells are separated by a comma, a semicolon or a tab.
"""

import csv
import io
import math
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime

from releaseops_mcp.canary.series.points import ARMS, ArmName, ArmNames, Key, Kind, Points
from releaseops_mcp.errors import InvalidArgument

KINDS: Mapping[str, Kind] = {"": "value", "_events": "events", "_totals": "totals"}
"""What a column's name ends in, after the arm's name."""
MISSING = ("", "nan", "null", "na", "n/a", "-")


def read_csv(text: str, source: str, names: ArmNames, points: Points) -> None:
    """Add a table to `points`; raises InvalidArgument that names the line and the column."""
    lines = text.lstrip("\ufeff").splitlines()
    head = next((line for line in lines if line.strip()), "")
    separator = max(",;\t", key=head.count)
    rows = csv.DictReader(io.StringIO("\n".join(lines)), delimiter=separator, skipinitialspace=True)
    known = {column: column.strip().lower() for column in rows.fieldnames or ()}
    kinds = _figures(names)
    if not any(name in kinds and kinds[name][0] == "canary" for name in known.values()):
        raise InvalidArgument(
            f"{source}: no column called {names.canary} or {names.canary}_events: the columns are "
            f"{', '.join(known) or 'none'}; name the canary's with --canary"
        )
    columns: dict[Key, dict[float, float]] = defaultdict(dict)
    seen: dict[str, int] = defaultdict(int)
    for row in rows:
        where = f"{source}, line {rows.line_num}"
        cells = {known[column]: (cell or "").strip() for column, cell in row.items() if column in known}
        metric = cells.get("metric") or _stem(source)
        time = _time(cells["time"], where) if "time" in cells else float(seen[metric])
        seen[metric] += 1
        for name, (arm, kind) in kinds.items():
            if name in cells:
                column = columns[Key(metric, arm, kind)]
                if time in column:
                    raise InvalidArgument(f"{where}: a second row of {metric} at this time: add a `metric` column")
                column[time] = _number(cells[name], f"{where}, column {name}")
    if not columns:
        raise InvalidArgument(f"{source}: a header without rows")
    for key, column in columns.items():
        points.add(key, column, source)


def _figures(names: ArmNames) -> Mapping[str, tuple[ArmName, Kind]]:
    """Return arm and kind by the name of a column."""
    return {f"{getattr(names, arm)}{ending}".lower(): (arm, kind) for arm in ARMS for ending, kind in KINDS.items()}


def _time(cell: str, where: str) -> float:
    try:
        return float(cell)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(cell)
    except ValueError:
        raise InvalidArgument(f"{where}: {cell!r} is no time: give seconds or a date in ISO 8601") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _number(cell: str, where: str) -> float:
    if cell.lower() in MISSING:
        return math.nan
    try:
        return float(cell)
    except ValueError:
        raise InvalidArgument(f"{where}: {cell!r} is no number: leave a missing value empty") from None


def _stem(source: str) -> str:
    return source.replace("\\", "/").rpartition("/")[2].partition(".")[0]
