"""A short notation of JSON data: braces and commas as in JSON, quotes only where a text would be misread without.

A byte-pair tokenizer pays about a token for each pair of quotes and nothing for the space before a word, so the top
level is a line of `key:value` items, and each object of a list has a line of its own.
"""

import json
import re
from typing import Any, cast

from releaseops_mcp.episodes.base import Json

_SAFE = re.compile(r"[A-Za-z_][A-Za-z0-9_./@%+-]*")
_RESERVED = frozenset({"true", "false", "null"})
SIGNIFICANT_DIGITS = 6
"""Figures that an observation shows are rounded already; this only keeps float noise out."""


def write(value: Json) -> str:
    """Return an object's items, a space between them; a list of objects gets a line for each."""
    lines: list[str] = []
    inline: list[str] = []
    for key, item in value.items():
        rows = _rows(item)
        if rows is None:
            inline.append(f"{key}:{atom(item)}")
            continue
        if inline:
            lines.append(" ".join(inline))
            inline = []
        lines.append(f"{key}:")
        lines.extend(f"- {write(row)}" for row in rows)
    return "\n".join([*lines, " ".join(inline)] if inline else lines)


def atom(value: Any) -> str:
    """Return any value on one line."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.{SIGNIFICANT_DIGITS}g}"
    if isinstance(value, str):
        return value if _SAFE.fullmatch(value) and value not in _RESERVED else json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        items = cast("Json", value).items()
        return "{" + ",".join(f"{key}:{atom(item)}" for key, item in items) + "}"
    return "[" + ",".join(atom(item) for item in value) + "]"


def _rows(value: Any) -> list[Json] | None:
    """Return a list of flat objects, or None where the value is anything else."""
    if not isinstance(value, list) or not value:
        return None
    rows = cast("list[Any]", value)
    if not all(isinstance(row, dict) for row in rows):
        return None
    nested = any(_rows(item) is not None for row in cast("list[Json]", rows) for item in row.values())
    return None if nested else cast("list[Json]", rows)
