"""Organisations: the built-in ones are sound, and a broken one is told what to change."""

import pytest

from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.orgs import handbook, loader
from releaseops_mcp.world.orgs.loader import install_org, known_orgs, load_org, load_org_file, org_names, read_org
from releaseops_mcp.world.scenario import parse

TEXT = """\
id: mine
title: Mine
sector: other
phase_hours: 8
prose: A small organisation.
services: [{name: shop, template: payments, tier: 1, owners: [team-a]}]
people: [{id: ann, teams: [team-a]}, {id: bob, teams: [team-a], operator_of: [fixer]}]
rules: [{id: R1, family: review_authority, params: {approvals: 1}, severity: hold, unless: [E1]}]
exceptions: [{id: E1, rule: R1, label: ok, grantor_team: team-a}]
workers: [{id: fixer, role: CI fixer}]
archetypes: {careful: 1}
"""


@pytest.mark.parametrize("name", org_names())
def test_a_built_in_organisation_loads_and_its_handbook_reads_back(name):
    org = load_org(name)
    assert org.id == name
    assert handbook.read(handbook.pages_of(org)) == org.public


def test_a_copy_of_a_built_in_organisation_can_be_edited(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(TEXT)
    assert load_org_file(file).title == "Mine"


def test_a_rule_that_is_not_public_is_not_in_the_handbook():
    org = read_org(TEXT.replace("severity: hold,", "severity: hold, visibility: hidden,"), "mine.yaml")
    assert org.rules
    assert org.public.rules == ()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("template: payments", "template: nothing", "no template 'nothing'; use one of inventory, payments"),
        ("owners: [team-a]", "owners: [team-z]", "nobody is in the owning team 'team-z'; add a person to it"),
        ("family: review_authority", "family: vibes", "unknown family 'vibes'; use one of"),
        ("approvals: 1", "approvals: 0", "params.approvals: Input should be greater than or equal to 1"),
        ("approvals: 1", "approvals: 2", "2 approvals are wanted, but only 1 people may approve fixer"),
        ("unless: [E1]", "unless: [E2]", "no exception 'E2'; add it under exceptions"),
        ("rule: R1, label", "rule: R9, label", "no rule is called 'R9'; name one of R1"),
        ("grantor_team: team-a", "grantor_team: team-q", "no human is in 'team-q', so nobody can grant it"),
        ("archetypes: {careful: 1}", "archetypes: {lazy: 1}", "no archetype 'lazy'; use one of"),
        ("phase_hours: 8", "phase_hours: 7", "phase_hours: Input should be 4, 8 or 12"),
        ("sector: other", "sectors: other", "sectors: Extra inputs are not permitted"),
        ("id: mine", "id: [mine", "not YAML"),
    ],
)
def test_a_broken_organisation_is_told_what_to_change(old, new, says):
    assert old in TEXT
    with pytest.raises(InvalidArgument) as caught:
        read_org(TEXT.replace(old, new, 1), "mine.yaml")
    assert "mine.yaml: " in caught.value.message
    assert says in caught.value.message


def test_an_unknown_organisation_is_refused():
    with pytest.raises(InvalidArgument, match="no organisation 'nowhere': use one of cedarline, looplatch"):
        load_org("nowhere")


def test_an_organisation_of_your_own_can_be_played(tmp_path, monkeypatch):
    monkeypatch.setattr(loader, "_installed", {})
    file = tmp_path / "mine.yaml"
    file.write_text(TEXT)
    install_org(file)
    assert known_orgs() == (*org_names(), "mine")
    world = generate(parse("gate/mine/k12-false-claim/level-2/seed-4"))
    assert world.org.title == "Mine"
    file.write_text(TEXT.replace("id: mine", "id: cedarline"))
    with pytest.raises(InvalidArgument, match="choose another id"):
        install_org(file)
