"""Past decisions: the same engine made them, each hidden rule shows in a contrast, and policies change."""

import json
from functools import cache

import pytest
import yaml

from releaseops_mcp.world import clock
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.levels import LEVELS
from releaseops_mcp.world.orgs.loader import load_org, org_names, org_text
from releaseops_mcp.world.orgs.model import Effective, Org
from releaseops_mcp.world.orgs.validation import problems
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.precedents.drawing import Scene, before, contrast, outside
from releaseops_mcp.world.precedents.judging import verdict_of
from releaseops_mcp.world.precedents.pages import hidden, pages_of
from releaseops_mcp.world.precedents.precedent import line, read
from releaseops_mcp.world.precedents.subjects.registry import subjects
from releaseops_mcp.world.precedents.unpublished import in_force, learnable
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.scenario import ScenarioName

MOST_CHARACTERS = 1_100
SECRETIVE = [org for org in map(load_org, org_names()) if any(rule.visibility != "public" for rule in org.rules)]
LOOPLATCH = load_org("looplatch")


@cache
def worlds():
    """Some worlds of every organisation, at levels without, with few and with most hidden rules."""
    names = (
        ScenarioName(org, kinds[seed * 5 % len(kinds)].name, bool(seed % 2), level, 900 + seed)
        for org in org_names()
        for kinds in [plantable(load_org(org))]
        for level, seeds in ((1, 1), (3, 1), (5, 2))
        for seed in range(seeds)
    )
    return tuple(map(generate, names))


def precedents(world):
    told = (read(text) for page in pages_of(world) for text in page.splitlines())
    return [each for each in told if each is not None]


def rule_of(org, rule_id):
    return next(rule for rule in org.rules if rule.id == rule_id)


def test_every_decision_in_a_log_is_what_the_rules_of_its_day_say():
    for world in worlds():
        org = load_org(world.name.org)
        for each in precedents(world):
            verdict = verdict_of(each.past, org, org.rules)
            assert each.decision == verdict.decision
            assert each.family in ("", *verdict.families)
            assert each.past.minute < world.start


def test_a_rule_in_force_is_in_the_handbook_or_shows_in_two_contrasting_precedents_of_one_surface():
    shown = 0
    for world in worlds():
        org, seen = load_org(world.name.org), precedents(world)
        public = {rule.id for rule in world.org.public.rules}
        for rule in world.org.rules:
            if rule.id in public:
                continue
            others = [each for each in org.rules if each.id != rule.id]
            pairs = [
                (one.past, other.past)
                for one in seen
                for other in seen
                if one.decision != APPROVE == other.decision
                and (one.past.subject, one.past.service, one.past.touches)
                == (other.past.subject, other.past.service, other.past.touches)
                and verdict_of(one.past, org, others).decision == APPROVE
            ]
            assert pairs, (world.name.id, rule.id)
            shown += 1
    assert shown >= 5


def test_the_share_of_hidden_rules_grows_with_the_level_and_is_nothing_at_the_first():
    for world in worlds():
        most = LEVELS[world.name.level].hidden
        assert len(hidden(world)) <= (max(1, int(most * len(world.org.rules))) if most else 0)


def test_pages_are_short_whole_lines_and_the_same_for_both_twins():
    for world in worlds():
        pages = pages_of(world)
        assert all(len(page) <= MOST_CHARACTERS for page in pages)
        assert all(json.loads(text) for page in pages for text in page.splitlines())
        assert pages == pages_of(generate(world.name.other))


def test_a_line_reads_back():
    for world in worlds()[::4]:
        for each in precedents(world):
            assert read(line(each)) == each
    assert read('{"incident": "2026-02-12T07:00:00Z", "note": "A push broke it."}') is None
    with pytest.raises(ValueError, match="one subject"):
        read('{"decided": "2026-02-12T07:00:00Z", "decision": "held"}')


def test_what_is_said_and_noted_names_no_kind_and_no_rule_id():
    for world in worlds():
        told = " ".join(pages_of(world))
        assert world.name.kind not in told
        assert not [rule.id for rule in world.org.rules if f'"{rule.id}"' in told]


@pytest.mark.parametrize("org", SECRETIVE, ids=lambda org: org.id)
def test_a_hidden_rule_of_a_built_in_organisation_can_be_shown(org):
    for service in org.services:
        for rule in learnable(org, service):
            scene = Scene(org, service, 3 * DAY)
            found = contrast(scene, rule, Draws("contrast", rule.id))
            assert found is not None, rule.id
            broken, kept = found
            assert verdict_of(broken, org, org.rules).families == (rule.family,)
            assert verdict_of(kept, org, org.rules).decision == APPROVE


def test_what_the_scope_leaves_alone_is_shown_too():
    rule = rule_of(LOOPLATCH, "LL-71")
    scene = Scene(LOOPLATCH, LOOPLATCH.service("checkout"), 3 * DAY)
    elsewhere = list(outside(scene, rule, ("source",), Draws("outside")))
    assert [each.touches == ("source",) for each in elsewhere] == [False, True]
    assert [each.service == "checkout" for each in elsewhere] == [True, False]
    assert all(verdict_of(each, LOOPLATCH, LOOPLATCH.rules).decision == APPROVE for each in elsewhere)


def test_a_policy_that_changed_shows_in_what_was_decided_before_and_after():
    # Given a rule that holds since Tuesday.
    rule = rule_of(LOOPLATCH, "LL-71")
    scene = Scene(LOOPLATCH, LOOPLATCH.service("checkout"), 3 * DAY)
    earlier = before(scene, rule, Draws("before"))
    later, _ = contrast(scene, rule, Draws("after")) or (None, None)
    # Then what it would have stopped passed before, and does not pass since.
    assert earlier is not None
    assert later is not None
    assert earlier.minute < DAY <= later.minute
    assert verdict_of(earlier, LOOPLATCH, LOOPLATCH.rules).decision == APPROVE
    assert verdict_of(later, LOOPLATCH, LOOPLATCH.rules).families == ("review_freshness",)
    # And a release that begins on Monday does not have it yet.
    assert rule not in in_force(LOOPLATCH, 8 * 60).rules
    assert rule in in_force(LOOPLATCH, DAY + 8 * 60).rules


def test_a_rule_is_in_force_from_its_first_minute_until_its_last():
    window = Effective(since=10, until=20)
    assert [minute for minute in range(8, 23) if window.covers(minute)] == list(range(10, 20))
    assert Effective().covers(-(10**6))
    assert Effective().covers(10**6)
    assert Effective.model_validate({"from": 10, "until": 20}) == window


def test_times_that_do_not_meet_are_told_from_those_that_do():
    early, late = Effective(until=10), Effective(since=10)
    assert not early.meets(late)
    assert early.meets(Effective())
    assert late.meets(Effective(since=5, until=11))
    assert early.is_possible
    assert not Effective(since=5, until=5).is_possible


@pytest.mark.parametrize(
    ("effective", "told"),
    [("{from: 10, until: 10}", "ends before it begins"), ("{from: 0, until: 10}", "")],
)
def test_an_organisation_whose_rule_never_holds_is_told_so(effective, told):
    text = org_text("looplatch").replace("effective: {from: 1440}", f"effective: {effective}")
    found = problems(Org.model_validate(yaml.safe_load(text)))
    assert [each for each in found if "effective" in each] == found
    assert told in " ".join(found)
    assert bool(found) == bool(told)


def test_subjects_tell_of_known_families_and_each_family_of_one_subject():
    told = [family for subject in subjects().values() for family in subject.families]
    assert set(told) <= set(families())
    assert len(told) == len(set(told))
    assert all(set(subject.hints) == set(subject.families) for subject in subjects().values())


def test_times_of_a_log_are_before_the_release():
    for world in worlds()[::4]:
        for page in pages_of(world):
            for text in page.splitlines():
                entry = json.loads(text)
                stamps = [entry[key] for key in ("decided", "incident") if key in entry]
                assert all(clock.minute_of(each) < world.start for each in stamps)
