"""Duplicates and near-duplicates, found by hashes: a log of many runs plays the same scenario alike again and again.

Rows are duplicates where all that was shown and said is the same. They are near-duplicates where the messages are the
same once figures are rounded to two significant digits and prose in the calls is left out. Ids are not figures:
copying another id is another lesson.
"""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from releaseops_mcp.episodes.base import Suite
from training.conversation import Message

_FIGURE = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_DIGITS = 2


class Marks(NamedTuple):
    """What tells a row from others, as 64-bit numbers: two of 10 million rows collide by chance in 1 of 370,000."""

    exact: int
    near: int


class Seen:
    """The marks that were met so far; 8 bytes of payload a mark."""

    def __init__(self) -> None:
        self._exact: set[int] = set()
        self._near: set[int] = set()
        self.duplicates = self.near_duplicates = 0

    def is_new(self, marks: Marks) -> bool:
        """Take a row in; return whether nothing like it was met before, and count it where something was."""
        if marks.exact in self._exact:
            self.duplicates += 1
            return False
        self._exact.add(marks.exact)
        if marks.near in self._near:
            self.near_duplicates += 1
            return False
        self._near.add(marks.near)
        return True


def marks_of(suite: Suite, messages: list[Message]) -> Marks:
    """Return what tells a row's messages from others."""
    return Marks(mark(messages), near_mark(suite, messages))


def mark(value: Any) -> int:
    """Return the mark of plain JSON data."""
    return _hash(json.dumps(value))


def near_mark(suite: Suite, messages: list[Message]) -> int:
    """Return the mark that near-duplicates share."""
    return _hash("\n".join(_gist(suite, messages)))


def _gist(suite: Suite, messages: list[Message]) -> Iterator[str]:
    for message in messages:
        if message["role"] in ("user", "tool"):
            yield _FIGURE.sub(_rounded, message["content"])
        for call in message.get("tool_calls", ()):
            made = call["function"]
            yield made["name"]
            yield json.dumps(without_prose(suite, made["name"], made["arguments"]))


def _rounded(figure: re.Match[str]) -> str:
    return f"{float(figure[0]):.{_DIGITS}g}"


def without_prose(suite: Suite, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call's arguments without its free texts of several words."""
    free = {
        parameter.name
        for spec in suite.tools
        if spec.name == tool
        for parameter in spec.parameters
        if parameter.type == "string" and not parameter.enum
    }
    return {
        name: value
        for name, value in arguments.items()
        if not (name in free and isinstance(value, str) and any(map(str.isspace, value)))
    }


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
