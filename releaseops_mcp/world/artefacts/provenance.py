"""Where an image comes from: an in-toto statement with SLSA provenance, as a build signs it."""

import json
from dataclasses import dataclass

from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
BUILD = "https://actions.github.io/buildtypes/workflow/v1"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the builder says that it built, and from what."""

    subjects: tuple[tuple[str, str], ...]
    """Platform and digest."""
    repository: str
    commit: str
    run: str
    """Id of the run that built it."""


@dataclass(frozen=True, slots=True)
class ProvenanceRecord(Record):
    """The statement, as it was read."""

    digests: tuple[str, ...]
    commit: str


def sheets(subject: str, provenance: Provenance) -> tuple[Sheet, ...]:
    """Return the one page; `subject` is the artefact's id."""
    commit = {"uri": f"git+https://{provenance.repository}", "digest": {"gitCommit": provenance.commit}}
    document = {
        "_type": STATEMENT,
        "subject": [
            {"name": platform, "digest": {"sha256": digest.removeprefix("sha256:")}}
            for platform, digest in provenance.subjects
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {"buildType": BUILD, "resolvedDependencies": [commit]},
            "runDetails": {"metadata": {"invocationId": f"actions/runs/{provenance.run}"}},
        },
    }
    return (Sheet(Topic(FORMAT.name, subject), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the statement; raises ValueError for a text that is none."""
    document = json.loads(text)
    if document.get("_type") != STATEMENT:
        raise ValueError(f"{subject}: not an in-toto statement: {text[:60]!r}")
    digests = tuple("sha256:" + each["digest"]["sha256"] for each in document["subject"])
    (source,) = document["predicate"]["buildDefinition"]["resolvedDependencies"]
    return (ProvenanceRecord(digests, source["digest"]["gitCommit"]),)


FORMAT = Format(name="provenance", tool="inspect_deployment", parse=parse, minutes=10)
