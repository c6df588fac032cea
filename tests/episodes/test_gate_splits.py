"""The lists of the gate: nothing that training sees is held out, and each list is what its name says."""

from collections import Counter

import pytest

from releaseops_mcp.episodes.gate.splits import (
    HELD_OUT_COMBINATIONS,
    HELD_OUT_KINDS,
    HELD_OUT_ORGS,
    HELD_OUT_SEEDS,
    LEVELS,
    NOVEL,
    PAIRS,
    SEEDS,
    STREAM_SPLIT,
    names,
    reserved,
    stream,
)
from releaseops_mcp.episodes.gate.suite import GROUPS, SUITE
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.reserved import COMBINATIONS, KINDS, ORGS, is_reserved_kind
from releaseops_mcp.world.scenario import CLEAN, ScenarioName, parse
from releaseops_mcp.world.templates import load_template

LISTS = {split: [parse(name) for name in listed] for split, listed in SUITE.splits().items()}
HELD_OUT = [split for split in LISTS if split not in ("train", "dev")]
FULL = 4
"""How deep a tell can be."""


def test_no_scenario_is_in_two_lists():
    listed = Counter(name.id for names_of in LISTS.values() for name in names_of)
    assert max(listed.values()) == 1


def test_training_may_see_its_lists_whole_and_no_scenario_of_another_list():
    assert {reserved(name) for split in ("train", "dev") for name in LISTS[split]} == {None}
    assert all(reserved(name) for split in HELD_OUT for name in LISTS[split])


@pytest.mark.parametrize("split", [HELD_OUT_KINDS, HELD_OUT_ORGS, HELD_OUT_COMBINATIONS, HELD_OUT_SEEDS])
def test_a_held_out_scenario_of_a_list_is_held_out_by_that_name(split: str):
    assert {reserved(name) for name in LISTS[split]} == {split}


def test_the_held_out_kinds_are_one_of_each_group():
    assert sorted(kinds()[name].group for name in KINDS) == list(GROUPS)
    assert {name.kind for name in LISTS[HELD_OUT_KINDS]} == set(KINDS)


def test_where_a_group_has_families_of_several_kinds_the_held_out_kind_is_of_one_and_training_has_its_siblings():
    shared = {name for name, count in Counter(kind.family for kind in kinds().values()).items() if count > 1}
    shown = {kinds()[name.kind].family for name in LISTS["train"]}
    for name in KINDS:
        kind = kinds()[name]
        if any(each.group == kind.group and each.family in shared for each in kinds().values()):
            assert kind.family in shared & shown


def test_two_organisations_are_held_out_and_the_others_have_every_service_template():
    assert set(ORGS) < set(org_names())
    assert {name.org for name in LISTS[HELD_OUT_ORGS]} == set(ORGS)
    assert {name.org for name in LISTS["train"]} == set(org_names()) - set(ORGS)
    assert templates(set(org_names()) - set(ORGS)) == templates(set(org_names()))


def templates(orgs: set[str]) -> set[str]:
    return {service.template for org in orgs for service in load_org(org).services}


def test_each_held_out_combination_is_new_only_as_one():
    train = {(name.kind, name.org, name.level) for name in LISTS["train"]}
    listed = {(name.kind, name.org, name.level) for name in LISTS[HELD_OUT_COMBINATIONS]}
    assert listed == {(each.kind, each.org, level) for each in COMBINATIONS for level in each.levels}
    assert not listed & train
    for kind, org, level in listed:
        assert any((kind, other, level) in train for other in org_names())
        assert any((kind, org, lower) in train for lower in LEVELS)
        assert any((other, org, level) in train for other in kinds())


def test_each_held_out_combination_may_hang_on_an_exception_a_scope_or_a_date():
    assert sorted(kinds()[each.kind].group for each in COMBINATIONS) == list(GROUPS)
    for each in COMBINATIONS:
        org, kind = load_org(each.org), kinds()[each.kind]
        forms = [kind.variants_for(org, service, load_template(service.template), FULL) for service in org.services]
        assert any(variant.depth == FULL for found in forms for variant in found)


def test_a_world_shows_no_reserved_kind_but_the_one_that_it_is_named_after():
    for name in [*LISTS["train"][::331], *LISTS[HELD_OUT_KINDS][::97]]:
        shown = {lineage.planted.partition("/")[0] for lineage in generate(name).lineages} - {"", name.kind}
        assert not [kind for kind in shown if is_reserved_kind(kind, name.org, name.level)]


@pytest.mark.parametrize("split", ["train", "dev", PAIRS, *NOVEL, HELD_OUT_SEEDS])
def test_a_list_has_every_world_with_its_twin_at_every_level(split: str):
    listed = set(LISTS[split])
    assert all(name.other in listed for name in listed)
    levels = {level for each in COMBINATIONS for level in each.levels}
    assert {name.level for name in listed} == (levels if split == HELD_OUT_COMBINATIONS else set(LEVELS))


def test_pairs_and_stream_have_every_kind_of_every_organisation():
    everything = {(org, kind.name) for org in org_names() for kind in plantable(load_org(org))}
    for split in (PAIRS, STREAM_SPLIT):
        assert {(name.org, name.kind) for name in LISTS[split]} == everything


def test_in_the_stream_five_to_ten_per_cent_of_the_proposals_are_bad():
    worlds = [generate(name) for name in LISTS[STREAM_SPLIT][::41]]
    first = [
        world.verdict(lineage, lineage.versions[0], lineage.appears).decision
        for world in worlds
        for lineage in world.lineages
    ]
    assert 0.05 < sum(decision != APPROVE for decision in first) / len(first) < 0.10


def test_the_faults_of_the_stream_are_spread_over_kinds_organisations_and_levels():
    listed = LISTS[STREAM_SPLIT]
    faulty = [name for name in listed if not name.twin]
    assert len({name.other if name.twin else name for name in listed}) == len(listed)
    assert {(name.org, name.kind) for name in faulty} == {(name.org, name.kind) for name in listed}
    assert {name.level for name in faulty} == set(LEVELS)


def test_seeds_beyond_the_lists_are_held_out_too():
    assert reserved(ScenarioName("cedarline", CLEAN, False, 1, SEEDS["dev"].stop)) is None
    assert reserved(ScenarioName("cedarline", CLEAN, False, 1, 29_999)) == PAIRS
    assert reserved(ScenarioName("gen-medical-7", CLEAN, False, 1, 39_999)) == STREAM_SPLIT
    assert reserved(ScenarioName("cedarline", CLEAN, False, 1, 10**17)) == HELD_OUT_SEEDS


def test_names_are_those_of_the_seeds_levels_and_organisations_that_are_asked_for():
    asked = list(names(range(3, 5), (2,), ("cedarline",)))
    assert {(name.org, name.level, name.seed) for name in asked} == {("cedarline", 2, 3), ("cedarline", 2, 4)}
    assert len(asked) == 4 * len(plantable(load_org("cedarline")))
    assert {name.twin for name in stream(range(1))} == {True, False}
