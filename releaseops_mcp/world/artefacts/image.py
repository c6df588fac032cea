"""The container image that a run built and tested, as `docker buildx imagetools inspect --format json` shows it."""

import json
from dataclasses import dataclass

from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


@dataclass(frozen=True, slots=True)
class Image:
    """An image for several platforms: an index over one manifest each. The index may be written anew over the same."""

    name: str
    """Registry, repository and tag."""
    index: str
    """Digest of the index, with `sha256:` before it, as all of them."""
    manifests: tuple[tuple[str, str], ...]
    """Platform, such as `linux/amd64`, and digest of what runs there."""
    revision: str
    """The commit that the image says it was built from."""


@dataclass(frozen=True, slots=True)
class ImageRecord(Record):
    """The image, as it was read."""

    index: str
    manifests: tuple[tuple[str, str], ...]


def sheets(subject: str, image: Image) -> tuple[Sheet, ...]:
    """Return the one page; `subject` is the run's id."""
    document = {
        "name": image.name,
        "manifest": {
            "schemaVersion": 2,
            "mediaType": INDEX,
            "digest": image.index,
            "manifests": [
                {
                    "mediaType": MANIFEST,
                    "digest": digest,
                    "platform": dict(zip(("os", "architecture"), platform.split("/"), strict=True)),
                }
                for platform, digest in image.manifests
            ],
            "annotations": {"org.opencontainers.image.revision": image.revision},
        },
    }
    return (Sheet(Topic(FORMAT.name, subject), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the image; raises ValueError for a text that is no image index."""
    document = json.loads(text)
    if "manifest" not in document:
        raise ValueError(f"{subject}: not an image index: {text[:60]!r}")
    rows = document["manifest"]["manifests"]
    manifests = tuple((f"{row['platform']['os']}/{row['platform']['architecture']}", row["digest"]) for row in rows)
    return (ImageRecord(document["manifest"]["digest"], manifests),)


FORMAT = Format(name="image", tool="inspect_ci_run", parse=parse, minutes=5)
