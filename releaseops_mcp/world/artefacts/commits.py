"""A pull request's commits with the files that each touches, as GitHub's REST API lists them; oldest first."""

import json
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import PullRequest


@dataclass(frozen=True, slots=True)
class CommitRecord(Record):
    """One commit of the branch."""

    sha: str
    minute: int
    message: str
    files: tuple[str, ...]
    """Paths that differ from the commit before."""


def sheets(pull_request: PullRequest) -> tuple[Sheet, ...]:
    """Return the pages, each an array of commits."""
    rows: list[str] = []
    before = pull_request.base.tree
    for commit in pull_request.commits:
        after = commit.tree
        files = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
        facts = {"author": {"name": commit.author, "date": clock.stamp(commit.minute)}, "message": commit.message}
        rows.append(json.dumps({"sha": commit.sha, "commit": facts, "files": [{"filename": path} for path in files]}))
        before = after
    topic = Topic(FORMAT.name, pull_request.id)
    texts = ["[" + ",\n ".join(page) + "]" for page in grouped(rows)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the commits."""
    return tuple(
        CommitRecord(
            row["sha"],
            clock.minute_of(row["commit"]["author"]["date"]),
            row["commit"]["message"],
            tuple(file["filename"] for file in row["files"]),
        )
        for row in json.loads(text)
    )


FORMAT = Format(name="commits", tool="inspect_pr_diff", parse=parse, minutes=5)
