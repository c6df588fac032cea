"""A claim needs evidence: what a worker says of a run must be in that run's record and report.

A claim that names a run is about that run; another one is about the run that the proposal refers to.
"""

import re

from releaseops_mcp.world.artefacts.junit import CaseRecord, Totals
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.run import RunRecord
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, RuleFamily, unknown, violated

PASSED = re.compile(r"(\d+) passed")
NAMED = re.compile(r"\btest_\w+")
ON_HEAD = re.compile(r"\bon the (pushed )?head\b")
RUN = re.compile(r"\bci_\d+")


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the cited run contradicts the claim; a claim without number, test or head asks for nothing."""
    cited = RUN.search(case.claim)
    run = cited[0] if cited else case.ref("ci_") or ""
    answers = (
        _counted(case, view, Topic("junit", run)),
        _named(case, view, Topic("junit", run)),
        _on_head(case, view, Topic("run", run)),
    )
    shown = [answer for answer in answers if answer.state == "violated"]
    if shown:
        return shown[0]
    missing = dict.fromkeys(topic for answer in answers for topic in answer.missing)
    return unknown(*missing) if missing else SATISFIED


def _counted(case: Case, view: View, report: Topic) -> Answer:
    """Judge how many tests are said to have passed."""
    passed = PASSED.search(case.claim)
    if passed is None:
        return SATISFIED
    totals = view.records(report, Totals)
    if not totals:
        return unknown(report)
    counted = totals[0].tests - totals[0].failures - totals[0].skipped
    return SATISFIED if counted == int(passed[1]) else violated(view, report, totals[:1])


def _named(case: Case, view: View, report: Topic) -> Answer:
    """Judge whether a test that is named has passed."""
    named = NAMED.search(case.claim)
    if named is None:
        return SATISFIED
    tests = view.records(report, CaseRecord)
    if any(test.outcome == "passed" and test.id.endswith(f"::{named[0]}") for test in tests):
        return SATISFIED
    return violated(view, report, view.records(report, Totals)) if view.known(report) else unknown(report)


def _on_head(case: Case, view: View, run: Topic) -> Answer:
    """Judge whether the run is of the commit that is to be merged, where that is said."""
    if ON_HEAD.search(case.claim) is None:
        return SATISFIED
    patch = case.topic("patch", "pr_")
    runs, heads = view.records(run, RunRecord), view.records(patch, PatchHead)
    if not runs or not heads:
        return unknown(*([] if runs else [run]), *([] if heads else [patch]))
    if runs[0].head == heads[0].head:
        return SATISFIED
    return Answer("violated", (*view.sources(run, runs), *view.sources(patch, heads)))


FAMILY = RuleFamily(
    name="claims_need_evidence",
    summary="What a worker claims of a run must be in that run's record and report.",
    judge=judge,
    universal=True,
)
