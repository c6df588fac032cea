"""What held on neighbouring inputs: the report of property checks that are not in the repository, as JUnit XML.

Each case shows the example that was tried last, as hypothesis prints it; for a failure that is the falsifying one.
"""

from dataclasses import dataclass
from xml.etree import ElementTree as XmlTree
from xml.sax.saxutils import escape

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import PropertyResult, Run

EXAMPLE = "Trying example: "


@dataclass(frozen=True, slots=True)
class PropertyRecord(Record):
    """One property of one file of product code."""

    name: str
    path: str
    holds: bool
    example: str
    """Inputs that were tried last: those for which it does not hold, where there are any."""


def sheets(run: Run) -> tuple[Sheet, ...]:
    """Return the one page; none where no property is checked."""
    if not run.properties:
        return ()
    failures = sum(not each.holds for each in run.properties)
    opening = (
        f'<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="properties" errors="0" '
        f'failures="{failures}" tests="{len(run.properties)}" timestamp="{clock.stamp(run.minute)}">\n'
    )
    text = opening + "".join(map(_case, run.properties)) + "</testsuite></testsuites>"
    return (Sheet(Topic(FORMAT.name, run.id), text),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the properties; raises ValueError for broken XML."""
    try:
        root = XmlTree.fromstring(text)  # noqa: S314 - our own rendering, without entities
    except XmlTree.ParseError as error:
        raise ValueError(f"{subject}: not a report of property checks: {error}") from error
    return tuple(map(_parse_case, root.iter("testcase")))


def _case(each: PropertyResult) -> str:
    head = f'<testcase classname="{each.path.removesuffix(".py").replace("/", ".")}" name="{each.name}"'
    failure = "" if each.holds else '<failure type="AssertionError" message="Falsified"/>'
    return f"{head}>{failure}<system-out>{escape(EXAMPLE + each.example)}</system-out></testcase>\n"


def _parse_case(case: XmlTree.Element) -> PropertyRecord:
    example = (case.findtext("system-out") or "").removeprefix(EXAMPLE)
    path = case.get("classname", "").replace(".", "/") + ".py"
    return PropertyRecord(case.get("name", ""), path, case.find("failure") is None, example)


FORMAT = Format(name="properties", tool="inspect_ci_run", parse=parse, minutes=10)
