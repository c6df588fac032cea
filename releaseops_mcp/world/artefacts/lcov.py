"""Function coverage by test, as an LCOV tracefile: a `TN` section for each new or changed test and each file.

Functions are written as coverage.py writes them (`FN:first,last,name` and `FNDA:hits,name`); lines are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.ci.coverage import Section, sections
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import Run

END = "end_of_record\n"


@dataclass(frozen=True, slots=True)
class FunctionHits(Record):
    """Whether one test entered one function."""

    test: str
    """The test's name, without its file."""
    path: str
    function: str
    first: int
    """The line of its `def`."""
    last: int
    hits: int


def sheets(run: Run) -> tuple[Sheet, ...]:
    """Return the pages: whole sections; an empty section where no test that is new or changed ran."""
    ran = [test.id for test in run.result.tests if test.outcome != "skipped"]
    found = [_section(each) for each in sections(run.base, run.commit.tree, run.package, ran)]
    texts = ["".join(page) for page in grouped(found or [f"TN:\n{END}"])]
    topic = Topic(FORMAT.name, run.id)
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return which test entered which function; raises ValueError for a text that is no tracefile."""
    if not text.startswith("TN:") or not text.endswith(END):
        raise ValueError(f"{subject}: not an LCOV tracefile: {text[:60]!r}")
    return tuple(record for section in text.split(END)[:-1] for record in _records(section))


def _section(section: Section) -> str:
    lines = [f"TN:{section.test.rpartition('::')[2]}", f"SF:{section.path}"]
    lines += [f"FN:{each.first},{each.last},{each.name}" for each in section.functions]
    lines += [f"FNDA:{int(each.name in section.hit)},{each.name}" for each in section.functions]
    lines += [f"FNF:{len(section.functions)}", f"FNH:{sum(each.name in section.hit for each in section.functions)}"]
    return "\n".join(lines) + f"\n{END}"


def _records(section: str) -> Iterator[FunctionHits]:
    rows = [(line[: line.index(":")], line[line.index(":") + 1 :]) for line in section.splitlines()]
    single = dict(rows)
    hits = {name: int(count) for key, row in rows if key == "FNDA" for count, _, name in [row.partition(",")]}
    for key, row in rows:
        if key == "FN":
            first, last, name = row.split(",")
            yield FunctionHits(single["TN"], single["SF"], name, int(first), int(last), hits.get(name, 0))


FORMAT = Format(name="lcov", tool="inspect_ci_run", parse=parse, minutes=10)
