"""A pull request's reviews, as GitHub's REST API lists them."""

import json
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import PullRequest


@dataclass(frozen=True, slots=True)
class ReviewRecord(Record):
    """One review."""

    user: str
    user_type: str
    """`User` or `Bot`."""
    state: str
    commit: str
    minute: int
    body: str = ""


def sheets(pull_request: PullRequest) -> tuple[Sheet, ...]:
    """Return the pages, each an array of reviews, oldest first."""
    rows = [
        {
            "id": 81_000 + index,
            "user": {"login": review.user, "type": review.user_type},
            "author_association": review.association,
            "state": review.state,
            "commit_id": review.commit,
            "submitted_at": clock.stamp(review.minute),
            "body": review.body,
        }
        for index, review in enumerate(pull_request.reviews)
    ]
    pages = grouped([json.dumps(row) for row in rows])
    topic = Topic(FORMAT.name, pull_request.id)
    texts = ["[" + ",\n ".join(page) + "]" for page in pages]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the reviews."""
    return tuple(
        ReviewRecord(
            row["user"]["login"],
            row["user"]["type"],
            row["state"],
            row["commit_id"],
            clock.minute_of(row["submitted_at"]),
            row["body"],
        )
        for row in json.loads(text)
    )


FORMAT = Format(name="reviews", tool="inspect_review", parse=parse, minutes=10)
