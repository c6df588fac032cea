"""A deployment that is asked for: what is to go to production, by digest, as GitHub's REST API shows a deployment."""

import json
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.image import Image
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic


@dataclass(frozen=True, slots=True)
class Promotion:
    """The deployment, before it has begun."""

    number: int
    sha: str
    release: str
    creator: str
    image: Image
    minute: int


@dataclass(frozen=True, slots=True)
class PromotionRecord(Record):
    """The deployment, as it was read."""

    sha: str
    index: str
    manifests: tuple[tuple[str, str], ...]


def sheets(subject: str, promotion: Promotion) -> tuple[Sheet, ...]:
    """Return the one page; `subject` is the artefact's id."""
    image = promotion.image
    document = {
        "id": promotion.number,
        "sha": promotion.sha,
        "ref": promotion.release,
        "task": "deploy",
        "environment": "production",
        "creator": {"login": promotion.creator},
        "created_at": clock.stamp(promotion.minute),
        "payload": {
            "image": f"{image.name}@{image.index}",
            "manifests": [{"platform": platform, "digest": digest} for platform, digest in image.manifests],
        },
        "statuses": [{"state": "queued"}],
    }
    return (Sheet(Topic(FORMAT.name, subject), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the deployment; raises ValueError for a text that is none with an image."""
    document: Any = json.loads(text)
    try:
        payload = document["payload"]
        manifests = tuple((row["platform"], row["digest"]) for row in payload["manifests"])
        record = PromotionRecord(document["sha"], payload["image"].rpartition("@")[2], manifests)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{subject}: not a deployment of an image: {text[:60]!r}") from error
    return (record,)


FORMAT = Format(name="promotion", tool="inspect_deployment", parse=parse, minutes=10)
