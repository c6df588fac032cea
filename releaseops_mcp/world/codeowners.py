"""CODEOWNERS files: where they are looked for, what their patterns cover, and who owns a path.

GitHub takes the first file it finds in `LOCATIONS`, on the branch that is merged into, and the last line that matches a
path wins, also where that line names nobody (the path is then unowned). Patterns are those of a .gitignore, without
negation and character ranges; a last `/*` covers the files of a folder and not what lies deeper.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

LOCATIONS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""In the order in which they are looked for; the others are ignored."""
_PIECES = re.compile(r"(\*\*/|\*\*|\*|\?)")
_WORDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class OwnerLine(NamedTuple):
    """One line that gives a pattern its owners."""

    pattern: str
    owners: tuple[str, ...]
    """Names of people and teams without `@` and organisation; empty for a line that takes the owners away."""


def files_of(tree: Mapping[str, str]) -> dict[str, str]:
    """Return a tree's CODEOWNERS files by their path, in the order in which they are looked for."""
    return {path: tree[path] for path in LOCATIONS if path in tree}


def read(text: str) -> tuple[OwnerLine, ...]:
    """Return the lines of one file; comments, empty lines and patterns that GitHub refuses are left out."""
    rows = (line.partition("#")[0].split() for line in text.splitlines())
    return tuple(
        OwnerLine(row[0], tuple(owner.removeprefix("@").rpartition("/")[2] for owner in row[1:]))
        for row in rows
        if row and not row[0].startswith("!") and "[" not in row[0]
    )


def owners_of(path: str, lines: Iterable[OwnerLine]) -> tuple[str, ...]:
    """Return the owners of a path by the last line that covers it; nobody where none does."""
    last = [line for line in lines if covers(line.pattern, path)][-1:]
    return last[0].owners if last else ()


def covers(pattern: str, path: str) -> bool:
    """Return whether a pattern covers a path."""
    return _compiled(pattern).fullmatch(path) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    anchored = "/" in pattern.rstrip("/")
    body = "".join(_WORDS.get(piece, re.escape(piece)) for piece in _PIECES.split(pattern.strip("/")))
    below = "/.*" if pattern.endswith("/") else "" if pattern.endswith("/*") else "(?:/.*)?"
    return re.compile(("" if anchored else "(?:.*/)?") + body + below)
