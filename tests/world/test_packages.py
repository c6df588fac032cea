"""Packages: registry records read back, packaging reads what we write, and the rule tells what it should not trust."""

import json
from dataclasses import replace

import pytest
import unidiff
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from releaseops_mcp.world.artefacts import package
from releaseops_mcp.world.artefacts.package import Package, PackageRecord, ReleaseRecord
from releaseops_mcp.world.changes.ordinary.packages import artefact
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.kinds.k20_strange_package import FIRST, SECOND, aged
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.lineages import Plan, make
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.rules.dependency_registry import NEAR, distance
from releaseops_mcp.world.templates import load_template, template_names
from releaseops_mcp.world.workers.registry import archetypes
from releaseops_mcp.world.world import Worker
from tests.world.cases import START, pages, proposal
from tests.world.readings import answer_of

ORG = load_org("cedarline")
SERVICE = ORG.service("payments")
STRANGE = kinds()["k20-strange-package"]
VARIANTS = [variant.name for variant in STRANGE.variants]
WORDS = st.text("abcdefgh-", max_size=8)


def new_package(version):
    """Return the artefact of the package that a version adds."""
    return version.artefacts["inspect_dependency", name_in(version)]


def name_in(version):
    return Requirement(pin_in(version)).name


def pin_in(version):
    """Return the line that a change adds to the manifest, as unidiff reads it."""
    patch = unidiff.PatchSet("".join(pages(version)["patch"]))
    (manifest,) = [file for file in patch if file.path == "requirements.txt"]
    (added,) = [line.value.strip() for hunk in manifest for line in hunk if line.is_added]
    return added


def with_record(lineage, record):
    """Return a proposal whose added package has another registry record."""
    first = lineage.versions[0]
    changed = {**first.artefacts, ("inspect_dependency", record.name): artefact(record, ())}
    return replace(lineage, versions=(replace(first, artefacts=changed),))


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 2000), st.sampled_from(["", "cedarline-pay"]))
def test_a_record_reads_back_as_the_package(major, minor, days, organization):
    state = aged("mint-rates", f"{major}.{minor}.1", days, organization, Draws("test", days))
    (sheet,) = package.sheets(state)
    head, *releases = package.parse("mint-rates", sheet.text)
    assert head == PackageRecord("mint-rates", True, organization)
    assert tuple(releases) == state.releases


def test_a_name_that_nobody_registered_is_not_found():
    (sheet,) = package.sheets(Package("mint-rates", "", "", "", "", ()))
    assert json.loads(sheet.text) == {"message": "Not Found"}
    assert package.parse("mint-rates", sheet.text) == (PackageRecord("mint-rates", False, ""),)


def test_another_document_is_no_registry_record():
    with pytest.raises(ValueError, match="not a registry record"):
        package.parse("mint-rates", "{}")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("fault", [True, False])
def test_packaging_reads_names_and_versions(variant, fault):
    for seed in range(6):
        lineage = proposal(ORG, SERVICE, STRANGE, variant, fault=fault, seed=seed)
        sheet, _ = new_package(lineage.versions[0]).sheets
        document = json.loads(sheet.text)
        name = document["info"]["name"]
        assert canonicalize_name(name) == name
        versions = list(document["releases"])
        assert sorted(versions, key=Version) == versions
        dates = [files[0]["upload_time_iso_8601"] for files in document["releases"].values()]
        assert sorted(dates) == dates
        assert dates[-1] < "2026-03-03T09:00:00Z"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_added_line_pins_a_version_that_the_registry_has(variant):
    lineage = proposal(ORG, SERVICE, STRANGE, variant, fault=True, seed=1)
    requirement = Requirement(pin_in(lineage.versions[0]))
    head, *releases = package.parse(requirement.name, new_package(lineage.versions[0]).sheets[0].text)
    assert isinstance(head, PackageRecord)
    assert head.name == requirement.name
    versions = [each.version for each in releases if isinstance(each, ReleaseRecord)]
    assert len(list(requirement.specifier.filter(versions))) == 1


@pytest.mark.parametrize("name", template_names())
def test_made_up_names_are_no_lookalikes_and_lookalikes_are(name):
    manifest = [Requirement(line).name for line in load_template(name).base["requirements.txt"].splitlines()]
    made_up = [f"{first}-{second}" for first in FIRST for second in SECOND]
    assert min(distance(one, other) for one in made_up for other in manifest) > NEAR
    service = SERVICE.model_copy(update={"template": name})
    lineage = proposal(ORG, service, STRANGE, "lookalike", fault=True)
    assert 0 < min(distance(name_in(lineage.versions[0]), other) for other in manifest) <= NEAR


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_proposals_of_a_release_add_different_packages(variant):
    template = load_template(SERVICE.template)
    worker = Worker("sre", "SRE", archetypes()["careful"], 0.7, 7, 3)
    for base in (100, 437, 800):
        added = set[str]()
        for index in range(7):
            plan = Plan(
                "p1",
                "merge_change",
                ORG,
                SERVICE,
                template,
                template.edits[0],
                worker,
                base + 100 * index,
                START,
                1,
                480,
            )
            lineage = make(replace(plan, kind=STRANGE, variant=variant, fault=True), Draws("test", base))
            known = (name for tool, name in lineage.versions[0].artefacts if tool == "inspect_dependency")
            added.update(name for name in known if "/" not in name and name not in template.base["requirements.lock"])
        assert len(added) == 14


def test_a_fix_pins_another_package_and_leaves_the_registry_as_it_is():
    for variant in VARIANTS:
        lineage = proposal(ORG, SERVICE, STRANGE, variant, fault=True, seed=1)
        first, fixed = lineage.versions[0], lineage.versions[-1]
        assert pages(first)["package"] == pages(fixed)["package"]
        assert (pin_in(first) != pin_in(fixed)) == (len(lineage.versions) == 2)


def test_a_package_in_use_has_the_same_record_in_all_proposals_of_a_release():
    one, other = (proposal(ORG, SERVICE, seed=seed).versions[0].artefacts for seed in (1, 2))
    key = ("inspect_dependency", "hmac-tokens")
    assert [sheet.topic.format for sheet in one[key].sheets] == ["package", "advisory"]
    assert one[key].sheets == other[key].sheets
    assert "1.9.0" in json.loads(one[key].sheets[0].text)["releases"]


def test_the_rule_asks_for_the_patch_and_then_for_the_new_package_alone():
    lineage = proposal(ORG, SERVICE, STRANGE, "brand-new", fault=True)
    assert answer_of(ORG, lineage, "dependency", "reviews").missing == (Topic("patch", "pr_400"),)
    assert answer_of(ORG, lineage, "dependency", "patch").missing == (Topic("package", name_in(lineage.versions[0])),)
    assert answer_of(ORG, proposal(ORG, SERVICE), "dependency", "patch").state == "satisfied"


def test_an_unknown_package_is_wrong_and_a_young_one_until_its_day():
    lineage = proposal(ORG, SERVICE, STRANGE, "brand-new", fault=False)
    name = name_in(lineage.versions[0])
    pinned = pin_in(lineage.versions[0]).partition("==")[2]
    unknown = with_record(lineage, Package(name, "", "", "", "", ()))
    young = with_record(lineage, Package(name, "", "", "", "", (ReleaseRecord(pinned, START),)))
    assert answer_of(ORG, unknown, "dependency").state == "violated"
    assert answer_of(ORG, young, "dependency", minute=START + 30 * DAY - 1).state == "violated"
    assert answer_of(ORG, young, "dependency", minute=START + 30 * DAY).state == "satisfied"
    assert answer_of(ORG, young, "dependency", least_days=0).state == "satisfied"


def test_a_trusted_publisher_may_be_new_but_not_withdrawn():
    lineage = proposal(ORG, SERVICE, STRANGE, "internal", fault=False)
    name = name_in(lineage.versions[0])
    pinned = pin_in(lineage.versions[0]).partition("==")[2]
    withdrawn = Package(name, "", "", "", "cedarline-pay", (ReleaseRecord(pinned, START - DAY, yanked=True),))
    assert answer_of(ORG, lineage, "dependency").state == "satisfied"
    assert answer_of(ORG, lineage, "dependency", trusted=[]).state == "violated"
    assert answer_of(ORG, with_record(lineage, withdrawn), "dependency").state == "violated"


@given(WORDS, WORDS, WORDS)
def test_the_distance_of_names_is_a_metric(one, other, third):
    assert (distance(one, other) == 0) == (one == other)
    assert distance(one, other) == distance(other, one)
    assert distance(one, third) <= distance(one, other) + distance(other, third)
    assert abs(len(one) - len(other)) <= distance(one, other) <= max(len(one), len(other))


@given(WORDS, st.data())
def test_one_letter_dropped_is_one_edit(word, data):
    place = data.draw(st.integers(0, len(word)))
    assert distance(word, word[:place] + "x" + word[place:]) == 1
