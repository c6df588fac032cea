"""Path patterns as CODEOWNERS and organisations write them."""

import re
from functools import lru_cache


@lru_cache(maxsize=1024)
def _compiled(glob: str) -> re.Pattern[str]:
    anchored = "/" in glob.rstrip("/")
    body = glob.strip("/")
    pieces = re.split(r"(\*\*/?|\*|\?)", body)
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pattern = "".join(words.get(piece, re.escape(piece)) for piece in pieces)
    return re.compile(("" if anchored else "(?:.*/)?") + pattern + "(?:/.*)?")


def matches(glob: str, path: str) -> bool:
    """Return whether a pattern covers a path: as in CODEOWNERS, a folder covers what lies in it."""
    return _compiled(glob).fullmatch(path) is not None


def covered(globs: tuple[str, ...], path: str) -> bool:
    """Return whether any of the patterns covers a path."""
    return any(matches(glob, path) for glob in globs)
