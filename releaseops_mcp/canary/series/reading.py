"""Reads files of either kind, told apart by their first character."""

from collections.abc import Sequence
from pathlib import Path

from releaseops_mcp.canary.series.csv_table import read_csv
from releaseops_mcp.canary.series.points import ArmNames, Points
from releaseops_mcp.canary.series.prometheus import read_prometheus
from releaseops_mcp.errors import InvalidArgument


def read_files(paths: Sequence[Path], names: ArmNames) -> Points:
    """Return the points of all files together.

    Raises InvalidArgument where one cannot be read as what it is, OSError where it cannot be opened.
    """
    points = Points()
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InvalidArgument(f"{path}: not a text in UTF-8: give a Prometheus answer or a CSV table") from None
        if not text.strip():
            raise InvalidArgument(f"{path}: the file is empty: give a Prometheus answer or a CSV table")
        read = read_prometheus if text.lstrip("\ufeff \t\r\n").startswith(("{", "[")) else read_csv
        read(text, str(path), names, points)
    return points
