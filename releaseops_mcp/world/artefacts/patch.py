"""The change itself as `git format-patch` writes it: a mail header, then diffs that `git apply` accepts."""

import difflib
import re
from dataclasses import dataclass
from functools import lru_cache

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.hashing import Tree, blob_id
from releaseops_mcp.world.state import PullRequest

FIXED = "Mon Sep 17 00:00:00 2001"
"""The date that git puts on the first line of every patch."""
ABSENT = "0" * 7
CONTEXT = 2
"""Lines around a change, as of `git format-patch -U2`: a step of a workflow still shows its name."""


@dataclass(frozen=True, slots=True)
class PatchHead(Record):
    """The header: which commit this is, of whom, on top of what, and which files it touches."""

    head: str
    base: str
    author: str
    """Who wrote the head, the last commit."""
    title: str
    body: str
    files: tuple[str, ...]
    counted: int = 0
    """How many files it says that it changes."""


@dataclass(frozen=True, slots=True)
class FileChange(Record):
    """One file's diff."""

    path: str
    status: str
    """`added`, `deleted`, `renamed` or `modified`."""
    lines: tuple[str, ...]
    """The hunks' lines with their sign: `+`, `-` or a space; `@@` lines between hunks."""
    source: str = ""
    """Where a renamed file was before."""

    @property
    def added(self) -> tuple[str, ...]:
        """The lines that the change adds, without sign."""
        return tuple(line[1:] for line in self.lines if line.startswith("+"))

    @property
    def removed(self) -> tuple[str, ...]:
        """The lines that the change takes away, without sign."""
        return tuple(line[1:] for line in self.lines if line.startswith("-"))


def sheets(pull_request: PullRequest) -> tuple[Sheet, ...]:
    """Return the pages: the header with the first files, then the other files."""
    old, new = pull_request.base.tree, pull_request.head.tree
    changed = pull_request.changed
    moved = renames(old, new)
    gone = set(moved.values())
    diffs = [
        _rename(moved[path], path) if path in moved else file_diff(path, old.get(path), new.get(path))
        for path in changed
        if path not in gone
    ]
    pages = grouped(diffs)
    topic = Topic(FORMAT.name, pull_request.id)
    header = _header(pull_request, changed)
    texts = ["".join(page) for page in pages]
    return tuple(
        Sheet(topic, (header if number == 1 else "") + text, number, len(texts)) for number, text in enumerate(texts, 1)
    )


def renames(old: Tree, new: Tree) -> dict[str, str]:
    """Return where each file came from that is new in place and old in content, as `git diff -M100%` finds it."""
    gone = {text: path for path, text in old.items() if path not in new}
    return {path: gone[text] for path, text in new.items() if path not in old and text in gone}


def _rename(source: str, path: str) -> str:
    return f"diff --git a/{source} b/{path}\nsimilarity index 100%\nrename from {source}\nrename to {path}\n"


@lru_cache(maxsize=4096)
def file_diff(path: str, old: str | None, new: str | None) -> str:
    """Return one file's diff with its git header; None stands for a file that is not there."""
    lines = [f"diff --git a/{path} b/{path}\n"]
    ids = [ABSENT if text is None else blob_id(text)[:7] for text in (old, new)]
    if old is None:
        lines.append("new file mode 100644\n")
    elif new is None:
        lines.append("deleted file mode 100644\n")
    lines.append(f"index {ids[0]}..{ids[1]}{'' if None in (old, new) else ' 100644'}\n")
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    before, after = ((text or "").splitlines(True) for text in (old, new))
    for line in difflib.unified_diff(before, after, *names, n=CONTEXT):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(lines)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the header, where this page has one, and the files' changes."""
    head, *files = re.split(r"^diff --git ", text, flags=re.MULTILINE)
    records: list[Record] = [_parse_header(head)] if head.startswith("From ") else []
    if head and not records:
        raise ValueError(f"{subject}: not a patch: {text[:40]!r}")
    return (*records, *map(_parse_file, files))


def _header(pull_request: PullRequest, changed: tuple[str, ...]) -> str:
    head = pull_request.head
    return (
        f"From {head.sha} {FIXED}\n"
        f"From: {head.author}\nDate: {clock.mail_date(head.minute)}\nSubject: [PATCH] {pull_request.title}\n\n"
        f"{pull_request.body}\n---\n"
        + "".join(f" {path}\n" for path in changed)
        + f" {len(changed) + pull_request.unlisted} files changed\nbase-commit: {pull_request.base.sha}\n\n"
    )


def _parse_header(head: str) -> PatchHead:
    letter, _, stat = head.partition("\n---\n")
    fields, _, body = letter.partition("\n\n")
    values = dict(line.split(": ", 1) for line in fields.splitlines()[1:])
    files = tuple(line.strip() for line in stat.splitlines() if line.startswith(" ") and "files changed" not in line)
    counted = re.search(r"^ (\d+) files changed$", stat, flags=re.MULTILINE)
    base = re.search(r"^base-commit: (\w+)$", stat, flags=re.MULTILINE)
    if base is None:
        raise ValueError(f"a patch without base-commit: {head[:60]!r}")
    title = values["Subject"].removeprefix("[PATCH] ")
    total = int(counted[1]) if counted else 0
    return PatchHead(head.split(maxsplit=2)[1], base[1], values["From"], title, body, files, total)


def _parse_file(text: str) -> FileChange:
    first, *rest = text.splitlines()
    source, path = first.removeprefix("a/").split(" b/", 1)
    if rest[0].startswith("similarity"):
        return FileChange(path, "renamed", (), source)
    status = "added" if rest[0].startswith("new") else "deleted" if rest[0].startswith("deleted") else "modified"
    start = next((index for index, line in enumerate(rest) if line.startswith("@@")), len(rest))
    return FileChange(path, status, tuple(rest[start:]))


FORMAT = Format(name="patch", tool="inspect_pr_diff", parse=parse, minutes=15)
