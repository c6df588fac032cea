"""Steps and jobs of a workflow file, edited as text: block style, two spaces a level, as the templates write them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from releaseops_mcp.world.ci.interpreter import parsed, runs_tests

INDENT = " " * 8
"""Of a step's keys."""


@dataclass(frozen=True, slots=True)
class Place:
    """A step with a command of one line."""

    job: str
    """Key of its job."""
    step: str
    command: str

    @property
    def line(self) -> str:
        """The line that holds its command."""
        return f"{INDENT}run: {self.command}\n"


def places(text: str) -> tuple[Place, ...]:
    """Return the steps whose commands do the work of their jobs: of one line, the only ones with it, no installs."""
    found: list[Place] = []
    for key, job in parsed(text)["jobs"].items():
        for step in job["steps"]:
            place = Place(key, str(step.get("name", "")), str(step.get("run", "")))
            if place.step and "pip install" not in place.command and text.count(place.line) == 1:
                found.append(place)
    return tuple(found)


def gating(text: str, required: Iterable[str], *, counts: bool) -> list[Place]:
    """Return the places in jobs that are required, or in those that are not."""
    wanted = set(required)
    return [place for place in places(text) if (place.job in wanted) is counts]


def place_of_tests(text: str) -> Place | None:
    """Return the step that runs the tests, or None."""
    return next((place for place in places(text) if runs_tests(place.command)), None)


def with_key(text: str, job: str, lines: str) -> str:
    """Return the file with lines right under a job's key; `lines` have no indent. Raises ValueError for no such job."""
    head = f"  {job}:\n"
    if text.count(head) != 1:
        raise ValueError(f"no job {job!r} to edit; the jobs are {', '.join(parsed(text)['jobs'])}")
    return text.replace(head, head + "".join(f"    {line}\n" for line in lines.splitlines()))


def with_blocks(text: str, blocks: Mapping[Place, str]) -> str:
    """Return the file with a step's command in place of what it was; a block starts behind the step's name."""
    for place, block in blocks.items():
        text = text.replace(place.line, block)
    return text


def gated(text: str, job: str, inner: str, extra: str, trial: str, other: str, package: str) -> str:
    """Return the file with a job's work under another key and a gate in its place, and the like of it beside them.

    `job` becomes `inner`, and a new job of the old name needs it. `trial` compiles the package, and `other` is the gate
    behind it. Both that work end in a step `extra`; whatever waited for `job` waits for both gates.
    """
    lines = text.rstrip("\n").splitlines(True)
    start = lines.index(f"  {job}:\n")
    end = next((at for at in range(start + 1, len(lines)) if re.match(r"  \S", lines[at])), len(lines))
    keep = f"      - name: {extra}\n{INDENT}run: cp report.xml kept/\n"
    runner = next(line for line in lines if line.startswith("    runs-on:"))
    worker = [f"  {inner}:\n", *lines[start + 1 : end], keep]
    gates = [_gate(gate, behind, runner) for gate, behind in ((job, inner), (other, trial))]
    work = f"      - name: Compile\n{INDENT}run: python -m compileall -q {package}\n{keep}"
    beside = f"  {trial}:\n{runner}    steps:\n{work}"
    rest = re.sub(rf"(needs: \[[^\]]*\b{re.escape(job)}\b[^\]]*)\]", rf"\1, {other}]", "".join(lines[end:]))
    return "".join([*lines[:start], *worker, beside, *gates, rest]).rstrip("\n") + "\n"


def _gate(key: str, behind: str, runner: str) -> str:
    return f"  {key}:\n{runner}    needs: [{behind}]\n    steps:\n      - name: Confirm\n{INDENT}run: echo done\n"
