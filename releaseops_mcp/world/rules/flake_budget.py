"""What passed only when it was tried again needs an explanation: a test known to be flaky, and not of what changed.

A test is tried again within a run (`--reruns`, which a change may add) or by a second attempt of the run as a whole.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from pydantic import Field

from releaseops_mcp.world.artefacts.junit import CaseRecord
from releaseops_mcp.world.artefacts.patch import FileChange, PatchHead
from releaseops_mcp.world.artefacts.run import RunRecord
from releaseops_mcp.world.ci.reruns import reruns_of
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered, matches
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated

WORKFLOWS = ".github/workflows/*"


class Budget(Params):
    """Settings of the family."""

    retries: int = Field(default=0, ge=0)
    """How often one test may be tried again."""
    known: tuple[str, ...] = ()
    """Test files (globs) that are known to be flaky."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a test that needed another try is not known to be flaky, or tests what the change touches."""
    wanted: Budget = settings(rule, Budget)
    run, patch = case.topic("run", "ci_"), case.topic("patch", "pr_")
    if not view.known(run):
        return unknown(run)
    added = _added(view, patch) if "workflow" in case.touches else []
    if any(number > wanted.retries for _, number in added):
        return violated(view, patch, [change for change, _ in added])
    missing = [patch] if "workflow" in case.touches and not view.known(patch) else []
    attempts, unseen = _attempts(view, run)
    reports = [Topic("junit", attempt.subject) for attempt in attempts[0 if added else 1 :]]
    missing += [*unseen, *(report for report in reports if not view.known(report))]
    failures = [(report, test, count) for report in reports for test, count in _tries(view, report, run.subject)]
    heads = view.records(patch, PatchHead)
    files = heads[0].files if heads else ()
    counts = Counter[str]()
    for _, test, count in failures:
        counts[test.id] += count
    for report, test, _ in failures:
        if counts[test.id] > wanted.retries or not _is_explained(test, wanted, files):
            shown = (*view.sources(run, view.records(run, RunRecord)), *view.sources(report, [test]))
            return Answer("violated", (*shown, *view.sources(patch, heads)))
    if failures and not heads:
        missing.append(patch)
    return unknown(*dict.fromkeys(missing)) if missing else SATISFIED


def _added(view: View, patch: Topic) -> list[tuple[FileChange, int]]:
    """Return the changes of workflows that let tests run again, with how often."""
    changes = [change for change in view.records(patch, FileChange) if matches(WORKFLOWS, change.path)]
    numbers = [(change, reruns_of("\n".join(change.added))) for change in changes]
    return [(change, number) for change, number in numbers if number]


def _attempts(view: View, last: Topic) -> tuple[list[Topic], list[Topic]]:
    """Return the attempts of a run, newest first, as far as they are known, and the one that would have to be read."""
    found = [last]
    record = view.records(last, RunRecord)[0]
    while record.attempt > 1:
        before = Topic("run", record.previous)
        found.append(before)
        if not view.known(before):
            return found, [before]
        record = view.records(before, RunRecord)[0]
    return found, []


def _tries(view: View, report: Topic, last: str) -> Iterator[tuple[CaseRecord, int]]:
    """Yield the tests that failed and were tried again, with how often."""
    for test in view.records(report, CaseRecord):
        count = test.retries + (test.outcome == "failed" and report.subject != last)
        if count:
            yield test, count


def _is_explained(test: CaseRecord, wanted: Budget, files: tuple[str, ...]) -> bool:
    path = test.id.partition("::")[0]
    about = PurePosixPath(path).stem.removeprefix("test_")
    touched = any(file == path or PurePosixPath(file).stem == about for file in files)
    return covered(wanted.known, path) and not touched


FAMILY = RuleFamily(
    name="flake_budget",
    summary="A test that passed only on another try is known to be flaky, and tests nothing that the change touches.",
    judge=judge,
    params=Budget,
)
