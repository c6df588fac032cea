"""Who owns which paths: the CODEOWNERS files of a pull request's base, each below its path as `head -v` prints it."""

import re
from dataclasses import dataclass

from releaseops_mcp.world import codeowners
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import PullRequest

_FIRST = re.compile(r"commit ([0-9a-f]{40})\n")
_FILE = re.compile(r"^==> (\S+) <==\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OwnersFile(Record):
    """One CODEOWNERS file, or the part of it on a page."""

    commit: str
    """The commit whose tree holds it."""
    path: str
    lines: tuple[codeowners.OwnerLine, ...]


def sheets(pull_request: PullRequest) -> tuple[Sheet, ...]:
    """Return the pages: the files of the base tree, that which counts first."""
    base = pull_request.base
    files = [f"==> {path} <==\n{text.rstrip()}\n" for path, text in codeowners.files_of(base.tree).items()]
    topic = Topic(FORMAT.name, pull_request.id)
    texts = [f"commit {base.sha}\n" + "".join(page) for page in grouped(files)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the files; raises ValueError for a text that does not say of which commit they are."""
    first = _FIRST.match(text)
    if first is None:
        raise ValueError(f"{subject}: not the CODEOWNERS files of a commit: {text[:60]!r}")
    _, *pieces = _FILE.split(text[first.end() :])
    return tuple(
        OwnersFile(first[1], path, codeowners.read(body)) for path, body in zip(pieces[::2], pieces[1::2], strict=True)
    )


FORMAT = Format(name="codeowners", tool="inspect_review", parse=parse, minutes=5)
