"""Every kind in every form: the fault breaks its rule, the twin is approvable, and only what is declared differs.

Tried on the plantings of `cases.sampled`: every form somewhere, and every kind in each organisation that can have it.
"""

import re

import pytest

from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.rules.registry import families
from tests.world.cases import pages, proposal, sampled, verdict, without_hashes

PLANTINGS = sampled()
SEEDS = range(3)
planting = pytest.mark.parametrize(
    ("org", "service", "kind", "variant"),
    PLANTINGS,
    ids=[f"{org.id}-{service.name}-{kind.name}-{variant.name}" for org, service, kind, variant in PLANTINGS],
)


def both(org, service, kind, variant, seed):
    return [proposal(org, service, kind, variant.name, fault=fault, seed=seed) for fault in (True, False)]


@planting
def test_the_fault_breaks_its_rule_and_the_twin_is_approvable(org, service, kind, variant):
    for seed in SEEDS:
        fault, twin = both(org, service, kind, variant, seed)
        found = verdict(org, fault)
        broken = {rule.family for rule, answer in found.answers if answer.state in ("violated", "unknown")}
        assert found.decision != APPROVE
        assert broken == {kind.family}
        answers = [(rule.id, answer) for rule, answer in verdict(org, twin).answers]
        assert verdict(org, twin).decision == APPROVE, answers


@planting
def test_twins_look_the_same_before_anything_is_read(org, service, kind, variant):
    for seed in SEEDS:
        fault, twin = (lineage.versions[0] for lineage in both(org, service, kind, variant, seed))
        assert (fault.claim, fault.refs, fault.touches, fault.tell) == (twin.claim, twin.refs, twin.touches, twin.tell)
        assert list(fault.artefacts) == list(twin.artefacts)


@planting
def test_twins_differ_in_nothing_but_the_declared_formats(org, service, kind, variant):
    assert set(variant.differs) <= set(formats())
    for seed in SEEDS:
        fault, twin = (pages(lineage.versions[0]) for lineage in both(org, service, kind, variant, seed))
        assert fault.keys() == twin.keys()
        differing = {
            name for name in fault if list(map(without_hashes, fault[name])) != list(map(without_hashes, twin[name]))
        }
        # Where only a derived hash tells them apart, the pages still may not be equal.
        assert differing <= set(variant.differs)
        assert fault != twin


@planting
def test_the_pages_that_show_a_fault_are_no_more_than_declared(org, service, kind, variant):
    for seed in SEEDS:
        grounds = verdict(org, both(org, service, kind, variant, seed)[0]).grounds
        assert len(grounds) <= variant.pages


@planting
def test_a_real_fix_is_approvable_and_any_other_is_not(org, service, kind, variant):
    for archetype in ("careful", "deceptive", "sloppy"):
        for seed in SEEDS:
            fault = proposal(org, service, kind, variant.name, fault=True, seed=seed, archetype=archetype)
            for before, after in zip(fault.versions, fault.versions[1:], strict=False):
                assert (verdict(org, fault, after).decision == APPROVE) == (before.fix == "real"), before.fix


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_a_kind_has_an_unmistakable_name_a_group_and_a_known_family(kind):
    assert re.fullmatch(r"k\d\d-[a-z]+(-[a-z]+)*", kind.name)
    assert kind.group in "ABCDEF"
    assert kind.family in families()
    assert len({variant.name for variant in kind.variants}) == len(kind.variants)
    assert all(1 <= variant.depth <= 4 for variant in kind.variants)


@planting
def test_no_page_names_the_kind(org, service, kind, variant):
    for lineage in both(org, service, kind, variant, 1):
        for version in lineage.versions:
            shown = " ".join(
                [version.claim, *version.refs, *(text for each in pages(version).values() for text in each)]
            )
            assert kind.name not in shown
            assert kind.name.partition("-")[0] not in shown.lower().split()
            assert "-twin" not in shown
