"""The job log of a run as `gh run view --log` prints it: job, step and time-stamped line, tab-separated."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.ci.interpreter import CiResult, StepResult, runs_tests
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import Run

_LINE = re.compile(r"([^\t]*)\t([^\t]*)\t\d{4}-\d\d-\d\dT[\d:.]+Z (.*)")


@dataclass(frozen=True, slots=True)
class LogLine(Record):
    """One line of a step's output."""

    job: str
    step: str
    text: str


def sheets(run: Run) -> tuple[Sheet, ...]:
    """Return the pages: whole lines."""
    start = clock.EPOCH + timedelta(minutes=run.minute)
    lines = [
        f"{line.job}\t{line.step}\t{(start + timedelta(milliseconds=731 * number)).isoformat()[:23]}0000Z {line.text}\n"
        for number, line in enumerate(_lines(run), 1)
    ]
    topic = Topic(FORMAT.name, run.id)
    texts = ["".join(page) for page in grouped(lines)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the lines; raises ValueError for a line without job, step and time."""
    records: list[Record] = []
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"{subject}: not a line of a job log: {line[:60]!r}")
        records.append(LogLine(*match.groups()))
    return tuple(records)


def _lines(run: Run) -> Iterator[LogLine]:
    for job in run.result.jobs:
        for step in job.steps:
            if step.conclusion == "skipped":
                continue
            for text in _output(step, run):
                yield LogLine(job.name, step.name, text)


def _output(step: StepResult, run: Run) -> Iterator[str]:
    yield f"##[group]Run {step.command.splitlines()[0]}"
    yield "##[endgroup]"
    if step.command.startswith("actions/checkout"):
        yield f"HEAD is now at {run.commit.sha[:7]} {run.commit.message.splitlines()[0]}"
    elif runs_tests(step.command):
        yield from _pytest(run.result)
    if step.outcome == "failure":
        yield "##[error]Process completed with exit code 1."


def _pytest(result: CiResult) -> Iterator[str]:
    words = {"passed": ".", "failed": "F", "skipped": "s"}
    yield "".join("R" * test.retries + words[test.outcome] for test in result.tests)
    for test in result.tests:
        if test.outcome == "failed":
            yield f"FAILED {test.id} - {test.message}"
    counts = [(sum(test.outcome == word for test in result.tests), word) for word in ("failed", "passed", "skipped")]
    counts.append((sum(test.retries for test in result.tests), "rerun"))
    yield ", ".join(f"{count} {word}" for count, word in counts if count) + " in 0.31s"


FORMAT = Format(name="log", tool="inspect_ci_run", parse=parse, minutes=15)
