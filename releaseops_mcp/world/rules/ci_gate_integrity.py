"""A required job must fail when one of its steps fails: nothing in the change may make a step of it harmless."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.artefacts.run import JobRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import matches
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, RuleFamily, unknown

WORKFLOWS = ".github/workflows/*"
SOFT = re.compile(
    r"continue-on-error: *true|\|\| *(true|:)|; *exit 0|^ *set \+e|--exit-zero|^ *if: *(\$\{\{ *)?false|[^|]\| *tee\b"
)
"""Ways in which a failing command counts as a success."""
HARD = re.compile(r"pipefail")
STEP = re.compile(r"^ *- (?:name: *(?P<name>.+)|uses: *(?P<uses>.+))$")
JOB = re.compile(r"^  (?P<name>[\w-]+):$")
END = "\0"
"""Stands behind the last line."""


class Softened(NamedTuple):
    """A place that the change makes harmless: a step, or a job as a whole."""

    step: str
    job: str


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the change softens a step of a required job; the run tells which job a step belongs to."""
    patch, run = case.topic("patch", "pr_"), case.topic("run", "ci_")
    changes = [change for change in view.records(patch, FileChange) if matches(WORKFLOWS, change.path)]
    softened = [(change, place) for change in changes for place in _softened(change)]
    if not softened:
        return SATISFIED if view.known(patch) else unknown(patch)
    if not view.known(run):
        return unknown(run)
    jobs = view.records(run, JobRecord)
    guilty = [change for change, place in softened if _job_of(place, jobs) in case.service.required_jobs]
    if guilty:
        return Answer("violated", (*view.sources(patch, guilty), *view.sources(run, jobs)))
    return SATISFIED if view.known(patch) else unknown(patch)


def _softened(change: FileChange) -> Iterator[Softened]:
    """Yield the places of the new file that added lines make harmless."""
    step = job = ""
    soft: list[str] = []
    hard = False
    for line in (*(line for line in change.lines if not line.startswith("-")), END):
        text = line[1:]
        named, started = JOB.match(text), STEP.match(text)
        if named or started or line == END:
            # A pipe is as hard as its step's shell: `pipefail` may stand before it.
            if any(not (hard and "tee" in each) for each in soft):
                yield Softened(step, job)
            soft, hard = [], False
        if named:
            step, job = "", named["name"]
        elif started:
            step = started["name"] or f"Run {started['uses']}"
        hard = hard or HARD.search(text) is not None
        if line.startswith("+") and SOFT.search(text):
            soft.append(text)


def _job_of(place: Softened, jobs: tuple[JobRecord, ...]) -> str:
    if not place.step:
        return place.job
    return next((job.name for job in jobs if any(name == place.step for name, _ in job.steps)), place.job)


FAMILY = RuleFamily(
    name="ci_gate_integrity",
    summary="A change may not make a failing step of a required job count as a success.",
    judge=judge,
)
