"""What a pytest command selects: paths, keyword and exclusions on its command line, patterns as a shell reads them."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from releaseops_mcp.world.ci.collection import Collected, collect

ENDS = frozenset("|&;<>()")
"""Signs at which a shell command ends or sends its output elsewhere."""
PLAIN = "pytest"


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of a suite that one command runs."""

    paths: tuple[str, ...] = ()
    """Files, folders, test ids or shell patterns; none stands for the whole tree."""
    ignored: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    """Words of `-k "not WORD and not WORD"`."""

    def picks(self, test: str) -> bool:
        """Return whether the command runs a test, given its id."""
        path = test.partition("::")[0]
        wanted = not self.paths or any(_covers(each, test) for each in self.paths)
        out = any(_covers(each, path) for each in self.ignored) or any(_covers(each, test) for each in self.deselected)
        return wanted and not out and not any(word in test for word in self.unwanted)


@lru_cache(maxsize=512)
def selection(command: str) -> Selection:
    """Return what the pytest command in a step's script selects."""
    line = next((line for line in command.splitlines() if PLAIN in line), command)
    words = _words(line)
    options = [word.partition("=") for word in words if word.startswith("--")]
    return Selection(
        paths=tuple(word for word in words if _is_path(word)),
        ignored=tuple(value for name, _, value in options if name == "--ignore"),
        deselected=tuple(value for name, _, value in options if name == "--deselect"),
        unwanted=_unwanted(words),
    )


def selected(tree: Mapping[str, str], command: str = PLAIN) -> tuple[Collected, ...]:
    """Return the tests of a tree that a command runs."""
    wanted = selection(command)
    return tuple(test for test in collect(tree) if wanted.picks(test.id))


def _words(line: str) -> list[str]:
    """Return the arguments of the pytest call: what stands before it or after a pipe is not its own."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    reader.commenters = ""
    words: list[str] = []
    for word in reader:
        if words and set(word) <= ENDS:
            break
        if words or word == PLAIN:
            words.append(word)
    return words[1:]


def _is_path(word: str) -> bool:
    return not word.startswith("-") and ("/" in word or word.endswith(".py"))


def _unwanted(words: Iterable[str]) -> tuple[str, ...]:
    given = list(words)
    terms = [given[place + 1] for place, word in enumerate(given[:-1]) if word == "-k"]
    return tuple(part.removeprefix("not ").strip() for term in terms for part in term.split(" and "))


def _covers(asked: str, test: str) -> bool:
    """Return whether a path, a test id or a shell pattern covers a test or a file."""
    path = test.partition("::")[0]
    if "::" in asked:
        return test == asked or test.startswith(f"{asked}::")
    return fnmatchcase(path, asked) or path.startswith(asked.rstrip("/") + "/")
