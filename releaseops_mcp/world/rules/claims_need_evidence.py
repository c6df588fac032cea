"""A claim needs evidence: numbers and tests that a worker names must be in the report of the run that it cites."""

import re

from releaseops_mcp.world.artefacts.junit import CaseRecord, Totals
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, RuleFamily, unknown, violated

PASSED = re.compile(r"(\d+) passed")
NAMED = re.compile(r"\btest_\w+")


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the report contradicts the claim; a claim without a number or a test asks for nothing."""
    passed, named = PASSED.search(case.claim), NAMED.search(case.claim)
    if passed is None and named is None:
        return SATISFIED
    topic = case.topic("junit", "ci_")
    if passed:
        totals = view.records(topic, Totals)
        if not totals:
            return unknown(topic)
        counted = totals[0].tests - totals[0].failures - totals[0].skipped
        if counted != int(passed[1]):
            return violated(view, topic, totals[:1])
    if named:
        tests = view.records(topic, CaseRecord)
        if not any(test.outcome == "passed" and test.id.endswith(f"::{named[0]}") for test in tests):
            return violated(view, topic, view.records(topic, Totals)) if view.known(topic) else unknown(topic)
    return SATISFIED


FAMILY = RuleFamily(
    name="claims_need_evidence",
    summary="What a worker claims of a run must be in that run's report.",
    judge=judge,
    universal=True,
)
