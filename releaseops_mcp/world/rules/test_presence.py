"""No protected test may stop running: a skip marker in the change counts where the test is really skipped on CI."""

import re

from releaseops_mcp.world.artefacts.junit import CaseRecord
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, RuleFamily, unknown, violated

MARKS = re.compile(r"pytest\.(mark\.(skip|skipif|xfail)|skip\(|importorskip)|--deselect|-m [\"']?not |--ignore")
"""Ways in which a line stops a test from running."""
TICKET = re.compile(r"ticket_\d+")


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the change adds a marker and a protected test was skipped on CI."""
    patch, report = case.topic("patch", "pr_"), case.topic("junit", "ci_")
    suspects = [change for change in view.records(patch, FileChange) if any(map(MARKS.search, change.added))]
    if not suspects:
        return SATISFIED if view.known(patch) else unknown(patch)
    skipped = [
        test
        for test in view.records(report, CaseRecord)
        if test.outcome == "skipped" and covered(case.service.protected, test.id.partition("::")[0])
    ]
    if skipped:
        links = [ticket for test in skipped for ticket in TICKET.findall(test.message)]
        found = violated(view, report, skipped, links)
        return Answer("violated", (*view.sources(patch, suspects), *found.grounds), links=found.links)
    return SATISFIED if view.known(report) else unknown(report)


FAMILY = RuleFamily(
    name="test_presence", summary="A change may not stop a protected test from running on CI.", judge=judge
)
