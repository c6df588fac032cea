"""Canonical JSON and the hashes over it: the one way in which this package turns data into bytes.

Canonical means sorted keys, no spaces, ASCII only (so lone surrogates and NUL survive any database), no NaN.
`plain` brings anything that an agent may send into that form first, so that what is judged, what is logged and what
is replayed are the same value.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

MAX_STRING_CHARS = 65_536
"""A longer string inside an agent's arguments is replaced by its length and hash."""
MAX_VALUES = 20_000
"""Values (strings and numbers, containers and keys) that arguments may hold; the rest is replaced by markers."""
MAX_CHARS = 1_048_576
"""Characters that the strings of one call's arguments may hold together; further strings are replaced."""
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


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value together with its canonical JSON, so that what is both hashed and stored is encoded once."""

    value: Any
    text: str

    @classmethod
    def of(cls, value: Any) -> "Encoded":
        """Encode a value."""
        return cls(value, dumps(value))

    @property
    def hash(self) -> str:
        """Hex SHA-256 of the text: what `digest(value)` returns."""
        return sha256(self.text)


def encodable(text: str) -> str:
    """Return a text with its lone surrogates spelled out, so that any encoder and validator takes it."""
    return text.encode("utf-8", "backslashreplace").decode()


def splice(rest: Mapping[str, Any], key: str, text: str) -> str:
    """Return the canonical JSON of `rest` with one more key whose value is already encoded as `text`."""
    before = dumps({name: value for name, value in rest.items() if name < key})[1:-1]
    after = dumps({name: value for name, value in rest.items() if name > key})[1:-1]
    return "{" + ",".join(filter(None, (before, f"{dumps(key)}:{text}", after))) + "}"


def plain(arguments: Any) -> Any:
    """Return `arguments` as plain JSON data; markers (`{"$omitted": ...}`) stand for what JSON or the log cannot hold.

    NaN, infinities, objects of other types, too long strings and too deep nesting become markers; a suite meets a
    marker as a value of a wrong type. `plain(plain(x)) == plain(x)`.
    """
    return _Plain().value(arguments, MAX_DEPTH)


class _Plain:
    """One walk over one call's arguments, with what is left of its allowance."""

    def __init__(self) -> None:
        self.values_left = MAX_VALUES
        self.chars_left = MAX_CHARS

    def value(self, value: Any, depth: int) -> Any:
        self.values_left -= 1
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, int):
            return int(value) if value.bit_length() <= 1024 else _omitted("integer beyond 1,024 bits")
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else _omitted(f"float {float(value)}")
        if isinstance(value, dict) and _is_marker(cast("dict[Any, Any]", value)):
            return dict(cast("dict[Any, Any]", value))
        if depth == 0 or self.values_left <= 0:
            return _omitted("nested too deeply" if depth == 0 else "too many values")
        if isinstance(value, dict):
            items = cast("dict[Any, Any]", value).items()
            return {self._key(key): self.value(item, depth - 1) for key, item in items if self.values_left > 0}
        if isinstance(value, (list, tuple)):
            return [self.value(item, depth - 1) for item in cast("list[Any]", value) if self.values_left > 0]
        return _omitted(f"not JSON: {type(value).__name__[:60]}")

    def _string(self, value: str) -> Any:
        text = _read_back(value)
        self.chars_left -= len(text)
        if len(text) <= MAX_STRING_CHARS and self.chars_left >= 0:
            return text
        return _omitted("long string", chars=len(text), sha256=sha256(encodable(text)))

    def _key(self, key: Any) -> str:
        text = _read_back(key) if isinstance(key, str) else f"$key {key!r}"
        return text if len(text) <= 256 else f"{text[:128]}$cut {sha256(encodable(text))}"


def _read_back(text: str) -> str:
    """Return a text as JSON reads it back: two surrogates that make a pair become the one character they stand for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return str(text)


def _omitted(why: str, **facts: Any) -> dict[str, Any]:
    return {"$omitted": why, **facts}


def _is_marker(value: dict[Any, Any]) -> bool:
    """Return whether this is what `_omitted` returns: it is small, and stays as it is."""
    return (
        "$omitted" in value and value.keys() <= {"$omitted", "chars", "sha256"} and all(map(_is_small, value.values()))
    )


def _is_small(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= 80
    return isinstance(value, int) and value.bit_length() <= 64
