"""Pushes after the evidence: a run or an approval of an older commit counts only where the organisation says so."""

import pytest

from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.rules.pushes import only_harmless_since
from releaseops_mcp.world.templates import load_template
from tests.world.cases import pages, proposal
from tests.world.readings import answer_of

OTHER, STALE = kinds()["k13-other-commit"], kinds()["k15-stale-approval"]
CEDARLINE, LOOPLATCH = load_org("cedarline"), load_org("looplatch")
PAYMENTS, CHECKOUT = CEDARLINE.service("payments"), LOOPLATCH.service("checkout")
DOCS = ("docs/**",)


def branch(*files):
    return tuple(CommitRecord(f"c{number}", number, "", paths) for number, paths in enumerate(files))


@pytest.mark.parametrize(
    ("commits", "since", "harmless"),
    [
        (branch(("a.py",), ("docs/a.md",)), "c0", True),
        (branch(("a.py",), ("docs/a.md", "b.py")), "c0", False),
        (branch(("a.py",), ("b.py",), ("docs/a.md",)), "c0", False),
        (branch(("a.py",), ("b.py",), ("docs/a.md",)), "c1", True),
        (branch(("a.py",)), "c0", True),
        (branch(("a.py",), ()), "c0", False),
        (branch(("a.py",)), "c9", False),
    ],
)
def test_only_harmless_pushes_leave_evidence_standing(commits, since, harmless):
    assert only_harmless_since(commits, since, DOCS) is harmless


def test_the_run_and_the_patch_settle_whether_the_run_is_of_the_head():
    lineage = proposal(CEDARLINE, PAYMENTS, OTHER, "older-push", fault=False)
    run, patch = Topic("run", "ci_400"), Topic("patch", "pr_400")
    assert answer_of(CEDARLINE, lineage, "ci_provenance", "log").missing == (run, patch)
    assert answer_of(CEDARLINE, lineage, "ci_provenance", "run").missing == (patch,)
    assert answer_of(CEDARLINE, lineage, "ci_provenance", "run", "patch").state == "satisfied"


def test_an_older_run_asks_for_the_commits_only_where_some_pushes_are_harmless():
    lineage = proposal(CEDARLINE, PAYMENTS, OTHER, "older-push", fault=True)
    read = ("run", "patch")
    assert answer_of(CEDARLINE, lineage, "ci_provenance", *read).state == "violated"
    lenient = answer_of(CEDARLINE, lineage, "ci_provenance", *read, harmless=["docs/**"])
    assert lenient.missing == (Topic("commits", "pr_400"),)
    assert answer_of(CEDARLINE, lineage, "ci_provenance", *read, "commits", harmless=["docs/**"]).state == "violated"
    assert answer_of(CEDARLINE, lineage, "ci_provenance", *read, "commits", harmless=["**"]).state == "satisfied"


@pytest.mark.parametrize("fault", [True, False])
def test_a_cherry_picked_run_is_green_whatever_the_last_push_broke(fault):
    template = load_template(PAYMENTS.template)
    lineage = proposal(CEDARLINE, PAYMENTS, OTHER, "cherry-picked", fault=fault, seed=2)
    shown = pages(lineage.versions[0])
    defect = template.defect_of(template.edits[2])
    assert (f"+{defect.new}\n" in "".join(shown["patch"])) is fault
    assert '"conclusion": "failure"' not in "".join(shown["run"])
    assert 'failures="0"' in shown["junit"][0]


def test_what_was_tested_before_the_runbook_changed_still_counts_where_docs_are_harmless():
    for fault in (True, False):
        lineage = proposal(LOOPLATCH, CHECKOUT, OTHER, "docs-since", fault=fault)
        assert answer_of(LOOPLATCH, lineage, "ci_provenance").state == ("violated" if fault else "satisfied")
        assert answer_of(LOOPLATCH, lineage, "ci_provenance", harmless=[]).state == "violated"


def test_two_fresh_approvals_are_wanted_where_two_must_be_fresh():
    lineage = proposal(CEDARLINE, PAYMENTS, STALE, "one-of-two", fault=True)
    assert answer_of(CEDARLINE, lineage, "review_freshness").state == "violated"
    assert answer_of(CEDARLINE, lineage, "review_freshness", approvals=1).state == "satisfied"


def test_a_remark_on_the_head_renews_no_approval():
    fault, twin = (proposal(CEDARLINE, PAYMENTS, STALE, "commented-since", fault=fault) for fault in (True, False))
    states = ["".join(pages(each.versions[0])["reviews"]).count('"state": "APPROVED"') for each in (fault, twin)]
    assert states == [2, 2]
    assert answer_of(CEDARLINE, fault, "review_freshness").state == "violated"
    assert answer_of(CEDARLINE, twin, "review_freshness").state == "satisfied"


def test_freshness_asks_for_reviews_first_then_for_the_head():
    lineage = proposal(CEDARLINE, PAYMENTS, STALE, "last-push", fault=True)
    assert answer_of(CEDARLINE, lineage, "review_freshness", "run").missing == (Topic("reviews", "pr_400"),)
    assert answer_of(CEDARLINE, lineage, "review_freshness", "reviews").missing == (Topic("patch", "pr_400"),)
