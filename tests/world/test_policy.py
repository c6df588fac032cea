"""The policy engine: partial views know what is missing, precedence decides, exceptions waive."""

from dataclasses import replace

from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.evidence.sheet import Topic, sheet_key
from releaseops_mcp.world.evidence.view import PartialView
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.policy import BLOCK, HOLD, applicable, covers, judge
from releaseops_mcp.world.rules.base import Case
from tests.world.cases import START, proposal, sampled, verdict

ORG = load_org("cedarline")
SERVICE = ORG.service("payments")
SKIPPED = kinds()["k01-skipped-test"]


def case_of(lineage, org=ORG, minute=START):
    version = lineage.versions[0]
    touches = frozenset(version.touches)
    return Case(org, lineage.request, lineage.service, lineage.worker.id, version.claim, version.refs, touches, minute)


def read(view, lineage, *wanted):
    """Read the pages of some formats, all of them by default."""
    for (tool, subject), artefact in lineage.versions[0].artefacts.items():
        for page, sheet in enumerate(artefact.sheets, 1):
            if not wanted or sheet.topic.format in wanted:
                view.add(sheet.topic, sheet.text, sheet.part, sheet.parts, sheet_key(tool, subject, page))


def test_nothing_read_means_hold_and_says_what_is_missing():
    found = judge(case_of(proposal(ORG, SERVICE)), PartialView())
    assert found.decision == HOLD
    assert found.families == ()
    assert set(found.missing) == {Topic("patch", "pr_400"), Topic("run", "ci_400"), Topic("reviews", "pr_400")}


def test_a_partial_view_never_contradicts_the_complete_one():
    for org, service, kind, variant in sampled():
        for fault in (True, False):
            lineage = proposal(org, service, kind, variant.name, fault=fault)
            view = PartialView()
            whole = {rule.id: answer.state for rule, answer in verdict(org, lineage).answers}
            for wanted in ("patch", "reviews", "run", "junit", "commits", "ticket", "log"):
                read(view, lineage, wanted)
                for rule, answer in judge(case_of(lineage, org), view).answers:
                    assert answer.state in ("unknown", whole[rule.id])


def test_everything_read_is_the_truth():
    for org, service, kind, variant in sampled():
        lineage = proposal(org, service, kind, variant.name, fault=True)
        view = PartialView()
        read(view, lineage)
        assert judge(case_of(lineage, org), view).decision == verdict(org, lineage).decision


def test_what_has_changed_is_forgotten():
    lineage = proposal(ORG, SERVICE)
    view = PartialView()
    read(view, lineage)
    view.forget("pr_400")
    missing = judge(case_of(lineage), view).missing
    assert set(missing) == {Topic("patch", "pr_400"), Topic("reviews", "pr_400")}


def test_a_block_rule_beats_a_hold_rule():
    lineage = proposal(ORG, SERVICE, SKIPPED, "platform", fault=True)
    severe = tuple(
        rule.model_copy(update={"params": {"approvals": 9}}) if rule.family == "review_authority" else rule
        for rule in ORG.rules
    )
    org = ORG.model_copy(update={"rules": severe})
    found = judge(case_of(lineage, org), lineage.versions[0].view)
    assert (found.decision, found.families) == (BLOCK, ("test_presence",))
    clean = proposal(ORG, SERVICE)
    found = judge(case_of(clean, org), clean.versions[0].view)
    assert (found.decision, found.families) == (HOLD, ("review_authority",))


def test_a_warning_never_holds():
    rules = tuple(rule.model_copy(update={"severity": "warn"}) for rule in ORG.rules)
    org = ORG.model_copy(update={"rules": rules})
    lineage = proposal(org, SERVICE, SKIPPED, "platform", fault=True)
    assert verdict(org, lineage).decision == "approve"


def test_an_exception_waives_until_it_expires():
    lineage = proposal(ORG, SERVICE, SKIPPED, "waiver", fault=False)
    view = lineage.versions[0].view
    states = {
        days: [
            answer.state
            for rule, answer in judge(case_of(lineage, minute=START + days * DAY), view).answers
            if rule.family == "test_presence"
        ]
        for days in (0, 40)
    }
    assert states == {0: ["waived"], 40: ["violated"]}


def test_an_unread_ticket_that_might_waive_leaves_it_open():
    lineage = proposal(ORG, SERVICE, SKIPPED, "waiver", fault=True)
    view = PartialView()
    read(view, lineage, "patch", "junit", "run", "reviews")
    found = judge(case_of(lineage), view)
    assert found.decision == HOLD
    assert found.missing == (Topic("ticket", "ticket_400"),)


def test_a_rule_bears_only_on_its_scope():
    case = case_of(proposal(ORG, SERVICE))
    families = {rule.family for rule in applicable(case)}
    assert "ci_gate_integrity" not in families
    assert {"test_presence", "claims_need_evidence"} <= families
    workflow = next(rule for rule in ORG.rules if rule.family == "ci_gate_integrity")
    assert covers(workflow, replace(case, touches=frozenset({"workflow"})))
    assert not covers(workflow, replace(case, touches=frozenset({"workflow"}), request="close_blocker"))
