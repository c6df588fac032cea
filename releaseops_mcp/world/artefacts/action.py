"""What a GitHub Action's name and commit ids lead to: its repository, its tags, and where else a commit comes from.

`refs` is what GitHub's `git/matching-refs/tags` lists. `network` are commits that the repository's address serves as
well, since all forks of a repository share their objects: who pins one of them runs a stranger's code under a known
name.
"""

import json
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

TAG = "refs/tags/"


@dataclass(frozen=True, slots=True)
class TagRecord(Record):
    """One tag of the repository and the commit that it stands for."""

    tag: str
    sha: str


@dataclass(frozen=True, slots=True)
class ForkCommit(Record):
    """A commit that only a fork has."""

    sha: str
    repository: str


@dataclass(frozen=True, slots=True)
class ActionRecord(Record):
    """The record's head."""

    name: str
    found: bool
    parent: str = ""
    """The repository that it was forked from; "" for one that is no fork."""


@dataclass(frozen=True, slots=True)
class Action:
    """What is known of one action."""

    name: str
    """`owner/name`."""
    parent: str
    tags: tuple[TagRecord, ...]
    """Oldest first."""
    forks: tuple[ForkCommit, ...] = ()


def sheets(action: Action) -> tuple[Sheet, ...]:
    """Return the one page."""
    document: dict[str, Any] = {
        "full_name": action.name,
        "fork": bool(action.parent),
        "parent": {"full_name": action.parent} if action.parent else None,
        "refs": [{"ref": TAG + each.tag, "object": {"type": "commit", "sha": each.sha}} for each in action.tags],
        "network": [{"sha": each.sha, "repository": each.repository} for each in action.forks],
    }
    return (Sheet(Topic(FORMAT.name, action.name), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the head, the tags and the forks' commits; raises ValueError for a text that is no such record."""
    document = json.loads(text)
    if document == {"message": "Not Found"}:
        return (ActionRecord(subject, False),)
    if "full_name" not in document:
        raise ValueError(f"{subject}: not a record of an action: {text[:60]!r}")
    parent = document["parent"]["full_name"] if document["parent"] else ""
    tags = (TagRecord(row["ref"].removeprefix(TAG), row["object"]["sha"]) for row in document["refs"])
    forks = (ForkCommit(row["sha"], row["repository"]) for row in document["network"])
    return (ActionRecord(document["full_name"], True, parent), *tags, *forks)


FORMAT = Format(name="action", tool="inspect_dependency", parse=parse, minutes=5)
