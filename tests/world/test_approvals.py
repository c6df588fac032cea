"""Who approves: ordinary changes have what the rules ask for, and a kind's exchange breaks one rule and no other."""

import pytest

from releaseops_mcp.world.changes.approvers import choose, settle
from releaseops_mcp.world.changes.demands import demands, met
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary import change, reviews
from releaseops_mcp.world.changes.reach import migration, touch
from releaseops_mcp.world.changes.seats import review, seats
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.orgs.validation import problems
from releaseops_mcp.world.templates import load_template
from tests.world.cases import START

CEDARLINE, LOOPLATCH = load_org("cedarline"), load_org("looplatch")
PLACES = [(CEDARLINE, "payments"), (LOOPLATCH, "stockroom"), (LOOPLATCH, "checkout")]


def drafted(org, name, *, edit=0, worker="ci-fixer"):
    service = org.service(name)
    template = load_template(service.template)
    draft = Draft(org, service, template, template.edits[edit], "merge_change", worker, 400, START)
    for habit in (change, reviews):
        habit.add(draft, Draws("test", edit, worker))
    return draft


@pytest.mark.parametrize(("org", "name"), PLACES)
def test_an_ordinary_change_has_the_approvals_that_its_rules_ask_for(org, name):
    for seat in org.workers:
        draft = drafted(org, name, worker=seat.id)
        approving = [each.user for each in draft.reviews if each.state == "APPROVED"]
        assert tuple(approving) == draft.approvers
        assert met(demands(draft), approving)


@pytest.mark.parametrize(("org", "name"), PLACES)
def test_others_take_seats_where_the_change_turns_out_to_need_them(org, name):
    for edit, _ in enumerate(load_template(org.service(name).template).edits):
        draft = drafted(org, name, edit=edit, worker="migration-author")
        before = len(draft.reviews)
        draft.amend(migration(draft, Draws("test")))
        settle(draft, Draws("seats", edit))
        assert met(demands(draft), draft.approvers)
        assert {each.user for each in draft.reviews if each.state == "APPROVED"} == {*draft.approvers}
        assert len(draft.reviews) <= before + 1


def test_nobody_moves_where_the_approvals_suffice_or_a_kind_has_seated_them():
    draft = drafted(CEDARLINE, "payments")
    same = list(draft.reviews)
    settle(draft, Draws("seats"))
    assert draft.reviews == same
    draft.amend(migration(draft, Draws("test")))
    draft.seated = True
    settle(draft, Draws("seats"))
    assert draft.reviews == same


def test_an_exchange_breaks_the_rule_that_it_is_about_and_no_other():
    draft = drafted(CEDARLINE, "payments")
    assert touch(draft, ("schema",), Draws("test"))
    asked = demands(draft)
    for family in ("review_authority", "owner_review"):
        found = seats(draft, family, draft.reviewers(), Draws("seats", family))
        assert found is not None
        exchanged = {*found.group, found.odd} - {found.needed}
        assert met(asked, found.group)
        assert not met(asked, exchanged)
        assert met([demand for demand in asked if demand.family != family], exchanged)
        said = []
        for fault in (True, False):
            review(draft, found, Draws("said"), fault=fault)
            said.append({(each.user, each.state) for each in draft.reviews})
        assert {user for user, _ in said[0]} == {user for user, _ in said[1]} == {*found.group, found.odd}


def test_a_bot_is_never_chosen_where_people_must_approve():
    for seed in range(12):
        draft = drafted(LOOPLATCH, "stockroom", edit=seed % 6)
        chosen = choose(draft, Draws("bots", seed))
        assert all(LOOPLATCH.person(person).kind == "human" for person in chosen)


@pytest.mark.parametrize(
    ("params", "wanted"),
    [
        ({"teams": {"team-nobody": 1}}, "rule R-REV-01: nobody's approvals would suffice"),
        ({"approvals": 2, "outsiders": 9}, "rule R-REV-01: nobody's approvals would suffice"),
        ({"employers": 2}, "rule R-REV-01: nobody's approvals would suffice"),
    ],
)
def test_approvals_that_nobody_could_give_are_refused(params, wanted):
    rules = [rule.model_copy(update={"params": params}) if rule.id == "R-REV-01" else rule for rule in CEDARLINE.rules]
    found = problems(CEDARLINE.model_copy(update={"rules": tuple(rules)}))
    assert any(problem.startswith(wanted) for problem in found), found
