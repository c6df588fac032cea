"""The test report of a run as pytest writes it (`--junitxml`), cut into whole documents."""

import zlib
from dataclasses import dataclass
from xml.etree import ElementTree as XmlTree
from xml.sax.saxutils import quoteattr

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.ci.interpreter import CaseResult
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import Run


@dataclass(frozen=True, slots=True)
class CaseRecord(Record):
    """One test's result: `passed`, `failed` or `skipped`, with the message of a failure or a skip."""

    id: str
    outcome: str
    message: str
    retries: int = 0
    """How often it failed in this run before it came to its outcome."""


@dataclass(frozen=True, slots=True)
class Totals(Record):
    """What the suite counted."""

    tests: int
    failures: int
    skipped: int


def sheets(run: Run) -> tuple[Sheet, ...]:
    """Return the pages: each a document with the suite's totals and some of its cases."""
    tests = run.result.tests
    counts = {word: sum(test.outcome == word for test in tests) for word in ("failed", "skipped")}
    opening = (
        f'<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="0" '
        f'failures="{counts["failed"]}" skipped="{counts["skipped"]}" tests="{len(tests)}" '
        f'timestamp="{clock.stamp(run.minute)}" hostname="runner">\n'
    )
    pages = grouped([_case(test) for test in tests])
    topic = Topic(FORMAT.name, run.id)
    texts = [opening + "".join(page) + "</testsuite></testsuites>" for page in pages]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the totals and the cases; raises ValueError for broken XML."""
    try:
        root = XmlTree.fromstring(text)  # noqa: S314 - our own rendering, without entities
    except XmlTree.ParseError as error:
        raise ValueError(f"{subject}: not a JUnit report: {error}") from error
    records: list[Record] = []
    for suite in root.iter("testsuite"):
        records.append(Totals(*(int(suite.get(name, 0)) for name in ("tests", "failures", "skipped"))))
        records += map(_parse_case, suite.iter("testcase"))
    return tuple(records)


def _case(test: CaseResult) -> str:
    path, _, name = test.id.partition("::")
    *classes, name = name.split("::")
    classname = ".".join([path.removesuffix(".py").replace("/", "."), *classes])
    # A time that looks measured and is always the same.
    time = f"0.{zlib.crc32(test.id.encode()) % 40 + 1:03d}"
    head = f'<testcase classname="{classname}" name="{name}" time="{time}"'
    if test.outcome == "passed" and not test.retries:
        return head + "/>\n"
    kind = {"skipped": ("skipped", "pytest.skip"), "failed": ("failure", "AssertionError")}.get(test.outcome)
    tags = [kind] if kind else []
    tags += [("flakyFailure" if test.outcome == "passed" else "rerunFailure", "AssertionError")] * test.retries
    children = "".join(f'<{tag} type="{type}" message={quoteattr(test.message)}/>' for tag, type in tags)
    return f"{head}>{children}</testcase>\n"


def _parse_case(case: XmlTree.Element) -> CaseRecord:
    words = case.get("classname", "").split(".")
    classes = [word for word in words if word.startswith("Test")]
    path = "/".join(words[: len(words) - len(classes)]) + ".py"
    test_id = "::".join([path, *classes, case.get("name", "")])
    again = [*case.iterfind("rerunFailure"), *case.iterfind("flakyFailure")]
    for tag, outcome in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
        child = case.find(tag)
        if child is not None:
            return CaseRecord(test_id, outcome, child.get("message", ""), len(again))
    return CaseRecord(test_id, "passed", again[0].get("message", "") if again else "", len(again))


FORMAT = Format(name="junit", tool="inspect_ci_run", parse=parse, minutes=10)
