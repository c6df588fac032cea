"""Canonical JSON and the hashes over it: the one way in which this package turns data into bytes.

Canonical means sorted keys, no spaces, ASCII only (so lone surrogates and NUL survive any database), no NaN.
`plain` brings anything that an agent may send into that form first, so that what is judged, what is logged and what
is replayed are the same value.
"""

import hashlib
import json
import math
from typing import Any, cast

MAX_STRING_CHARS = 65_536
"""A longer string inside an agent's arguments is replaced by its length and hash."""
MAX_ARGUMENT_CHARS = 1_048_576
"""Arguments whose JSON is longer than this are replaced as a whole."""
MAX_DEPTH = 64
"""Deeper nesting is replaced by a marker."""

_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def dumps(value: Any) -> str:
    """Return canonical JSON; raises ValueError for NaN and TypeError for what JSON cannot hold."""
    return _encoder.encode(value)


def sha256(text: str) -> str:
    """Return the hex SHA-256 of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest(value: Any) -> str:
    """Return the hex SHA-256 of a value's canonical JSON."""
    return sha256(dumps(value))


def plain(arguments: Any) -> Any:
    """Return `arguments` as plain JSON data, markers (`{"$omitted": ...}`) standing for what JSON or the log cannot hold.

    NaN, infinities, objects of other types, too long strings and too deep nesting become markers; a suite meets a
    marker as a value of a wrong type. `plain(plain(x)) == plain(x)`.
    """
    value = _plain(arguments, MAX_DEPTH)
    text = dumps(value)
    if len(text) > MAX_ARGUMENT_CHARS:
        return _omitted("too large", chars=len(text), sha256=sha256(text))
    return value


def _plain(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value) if len(value) <= MAX_STRING_CHARS else _long_string(value)
    if isinstance(value, int):
        return int(value) if value.bit_length() <= 1024 else _omitted("integer beyond 1,024 bits")
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _omitted(f"float {float(value)}")
    if depth == 0:
        return _omitted("nested too deeply")
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return {_key(key): _plain(item, depth - 1) for key, item in items}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth - 1) for item in cast("list[Any]", value)]
    return _omitted(f"not JSON: {type(value).__name__}")


def _key(key: Any) -> str:
    text = key if isinstance(key, str) else f"$key {key!r}"
    return text if len(text) <= 256 else f"{text[:200]}$cut {sha256(_printable(text))}"


def _long_string(value: str) -> dict[str, Any]:
    return _omitted("long string", chars=len(value), sha256=sha256(_printable(value)))


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _omitted(why: str, **facts: Any) -> dict[str, Any]:
    return {"$omitted": why, **facts}
