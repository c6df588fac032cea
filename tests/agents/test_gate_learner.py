"""The learner: what the public rules explain needs no rule; what they do not is one rule with the fewest conditions."""

import pytest

from releaseops_mcp.agents.scripted.gate.grammar import OPTIONS
from releaseops_mcp.agents.scripted.gate.learner import Learner
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.precedents.precedent import Past, Precedent, line
from releaseops_mcp.world.precedents.subjects.registry import subjects
from releaseops_mcp.world.rules.registry import families

ORG = load_org("looplatch")
PUBLIC = ORG.public
FRESH = {"approved": ["ines"], "approved_older": [], "pushed_since": []}
STALE = {"approved": [], "approved_older": ["ines"], "pushed_since": ["payments/money.py"]}


def told(facts, decision, *, touches="source", service="checkout", minute=-DAY, family=""):
    past = Past(minute, "merge_change", service, "sre", (touches,), "reviews", facts)
    return line(Precedent(past, decision, family))


def learnt(*lines):
    learner = Learner()
    learner.take("\n".join(lines) + "\n")
    return learner.handbook(PUBLIC).rules[len(PUBLIC.rules) :]


def test_without_a_surprise_the_handbook_is_all_there_is():
    assert learnt(told(FRESH, "approve"), told(STALE, "approve")) == ()


def test_a_surprise_is_explained_by_one_more_rule():
    (rule,) = learnt(told(FRESH, "approve"), told(STALE, "hold", family="review_freshness"))
    assert (rule.family, rule.severity) == ("review_freshness", "hold")
    assert not rule.scope.touches
    assert not rule.scope.services


@pytest.mark.parametrize(
    ("other", "touches", "services"),
    [({"touches": "tests"}, ("source",), ()), ({"service": "stockroom"}, (), ("checkout",))],
)
def test_what_passed_elsewhere_narrows_the_scope(other, touches, services):
    stopped = told(STALE, "hold", family="review_freshness")
    (rule,) = learnt(stopped, told(STALE, "approve", **other))
    assert (rule.scope.touches, rule.scope.services) == (touches, services)


def test_what_passed_earlier_dates_the_rule():
    stopped = told(STALE, "hold", family="review_freshness", minute=-DAY)
    (rule,) = learnt(stopped, told(STALE, "approve", minute=-9 * DAY))
    assert rule.effective.since is not None
    assert -9 * DAY < rule.effective.since <= -DAY


def test_what_no_rule_of_the_grammar_explains_teaches_nothing():
    assert learnt(told(STALE, "hold", family="review_freshness"), told(STALE, "approve", minute=-DAY + 1)) == ()


def test_notes_and_hearsay_prove_nothing():
    assert learnt('{"said_by": "sre", "note": "In checkout a push after the approvals means asking again."}') == ()


def test_reading_a_page_twice_changes_nothing():
    learner, page = Learner(), told(STALE, "hold", family="review_freshness")
    learner.take(page)
    once = learner.handbook(PUBLIC)
    learner.take(page)
    assert learner.handbook(PUBLIC) == once


def test_the_grammar_covers_what_precedents_tell_of():
    assert set(OPTIONS) == {family for subject in subjects().values() for family in subject.families}
    for name, options in OPTIONS.items():
        for settings in options(PUBLIC, ()):
            families()[name].params.model_validate(settings)
