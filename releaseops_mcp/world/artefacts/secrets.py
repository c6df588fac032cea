"""The scan for secrets over a pull request's commits and the base's past, as SARIF 2.1.0."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import Finding, PullRequest

TOOL = "keysweep"
_OPENING = f'{{"version": "2.1.0", "runs": [{{"tool": {{"driver": {{"name": "{TOOL}"}}}}, "results": ['
_CLOSING = "]}]}"


@dataclass(frozen=True, slots=True)
class FindingRecord(Record):
    """One place that looks like a credential."""

    rule: str
    path: str
    commit: str
    validity: str
    """`active`, `inactive` or `unknown`."""
    entropy: float
    """Bits a character."""
    suppressions: tuple[str, ...]
    """SARIF's kinds, `inSource` and `external`, of the suppressions that were accepted."""


def sheets(pull_request: PullRequest) -> tuple[Sheet, ...]:
    """Return the pages, each a SARIF log with some of the results."""
    rows = [json.dumps(_result(finding)) for finding in pull_request.findings]
    topic = Topic(FORMAT.name, pull_request.id)
    texts = [_OPENING + ",\n ".join(page) + _CLOSING for page in grouped(rows)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the findings; raises ValueError for a text that is no SARIF log of this version."""
    read: Any = json.loads(text)
    document: Mapping[str, Any] = cast("Mapping[str, Any]", read) if isinstance(read, dict) else {}
    if document.get("version") != "2.1.0":
        raise ValueError(f"{subject}: not a SARIF 2.1.0 log: {text[:60]!r}")
    return tuple(_record(row) for run in document["runs"] for row in run["results"])


def _result(finding: Finding) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": finding.path}, "region": {"startLine": finding.line}}
    suppressions = [{"kind": finding.suppression, "status": "accepted"}] if finding.suppression else []
    return {
        "ruleId": finding.rule,
        "level": "error",
        "message": {"text": "Looks like a credential"},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"commitSha": finding.commit},
        "suppressions": suppressions,
        "properties": {"validity": finding.validity, "entropy": finding.entropy},
    }


def _record(row: Mapping[str, Any]) -> FindingRecord:
    accepted = (each["kind"] for each in row.get("suppressions", []) if each.get("status", "accepted") == "accepted")
    return FindingRecord(
        row["ruleId"],
        row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        row["partialFingerprints"]["commitSha"],
        row["properties"]["validity"],
        float(row["properties"]["entropy"]),
        tuple(accepted),
    )


FORMAT = Format(name="secrets", tool="inspect_pr_diff", parse=parse, minutes=5)
