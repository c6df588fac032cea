"""Supply chain: advisories in the OSV schema, actions as GitHub shows them, manifests and locks read line by line."""

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.requirements import Requirement

from releaseops_mcp.world.artefacts import action, advisory
from releaseops_mcp.world.artefacts.action import Action, ActionRecord, ForkCommit, TagRecord
from releaseops_mcp.world.artefacts.advisory import SEVERITIES, Advisory
from releaseops_mcp.world.artefacts.patch import FileChange, file_diff
from releaseops_mcp.world.artefacts.patch import parse as parse_patch
from releaseops_mcp.world.changes.ordinary.actions import USED, commit, known
from releaseops_mcp.world.changes.stocking import Wishes, stocked
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.rules.pins import LOCK, MANIFEST, Pin, pins_in, pins_of
from releaseops_mcp.world.rules.workflow_lines import places
from releaseops_mcp.world.templates import load_template, template_names
from releaseops_mcp.world.versions import Event, key
from tests.world.cases import pages, proposal

ORG = load_org("cedarline")
PAYMENTS = ORG.service("payments")
WISHES = Wishes(least_days=14, most_days=30, least_severity=2, most_severity=2)
WORKFLOW = ".github/workflows/ci.yml"
SHOWN = """name: label
on:
  pull_request_target:
    types: [opened]
jobs:
  label:
    permissions: {contents: read}
    steps:
      - name: Mark  # twice
        uses: corvid/keep-logs@abc # v2.1.0
        env:
          LABEL: ${{ github.event.pull_request.title }}
        run: |
          echo "# $LABEL"
          if: not a key
      - uses: actions/checkout@v4
"""


def the_change(old, new, path=WORKFLOW):
    (change,) = parse_patch("pr_1", file_diff(path, old, new))
    assert isinstance(change, FileChange)
    return change


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_an_advisory_comes_back_as_it_is_written(seed):
    made = stocked("hmac-tokens", "1.9.0", WISHES, 3_000, Draws("test", seed)).advisories
    (sheet,) = advisory.sheets("hmac-tokens", made)
    assert advisory.parse("hmac-tokens", sheet.text) == made


def test_an_advisory_has_what_the_osv_schema_asks_for():
    entry = Advisory(
        "GHSA-x7q2-4r8m-9vjw", "HIGH", "A", 10, ((Event("introduced", "0"), Event("fixed", "1.2")),), ("1.0",), 20
    )
    (row,) = json.loads(advisory.sheets("hmac-tokens", (entry,))[0].text)["vulns"]
    assert row["affected"] == [
        {
            "package": {"ecosystem": "PyPI", "name": "hmac-tokens"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.2"}]}],
            "versions": ["1.0"],
        }
    ]
    assert row["published"] < row["withdrawn"]
    assert advisory.parse("hmac-tokens", json.dumps({"vulns": [row]})) == (entry,)
    assert advisory.parse("mint-rates", json.dumps({"vulns": [row]}))[0].ranges == ()


def test_a_package_without_advisories_answers_an_empty_object():
    assert advisory.sheets("hmac-tokens", ())[0].text == "{}"
    assert advisory.parse("hmac-tokens", "{}") == ()
    with pytest.raises(ValueError, match="not an answer of OSV"):
        advisory.parse("hmac-tokens", '{"info": {}}')


@settings(deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_versions_in_stock_are_what_they_are_good_for(seed, exposed):
    made = stocked("hmac-tokens", "1.9.0", WISHES, 3_000, Draws("test", seed), exposed=exposed)
    grave = [each for each in made.advisories if SEVERITIES.index(each.severity) >= WISHES.least_severity]
    versions = [made.current, made.early, made.late, made.flawed, made.excused, made.young]
    hit = {version for version in versions if any(each.affects(version) for each in grave)}
    assert hit == ({*versions} - {made.young} if exposed else {made.flawed})
    assert sorted(versions, key=key)[0] == made.current
    assert sorted(versions, key=key)[-1] == made.young
    assert key(made.early) < key(made.late)
    days = {each.version: (3_000 - each.minute) / 1440 for each in made.package.releases}
    assert all((days[version] > 30) == (version != made.young) for version in versions)
    assert days[made.young] < WISHES.least_days - 3


def test_an_action_comes_back_with_its_tags_and_what_its_forks_hold():
    made = Action(
        "corvid/keep-logs", "quarry/keep-logs", (TagRecord("v1.0.0", "a" * 40),), (ForkCommit("b" * 40, "x/y"),)
    )
    (sheet,) = action.sheets(made)
    assert action.parse("corvid/keep-logs", sheet.text) == (
        ActionRecord("corvid/keep-logs", True, "quarry/keep-logs"),
        *made.tags,
        *made.forks,
    )
    assert action.parse("x/y", '{"message": "Not Found"}') == (ActionRecord("x/y", False),)
    with pytest.raises(ValueError, match="not a record of an action"):
        action.parse("corvid/keep-logs", "{}")


@pytest.mark.parametrize("name", template_names())
def test_what_a_template_pins_agrees_and_leads_to_its_own_repository(name):
    base = load_template(name).base
    manifest, lock = pins_in(base[MANIFEST]), pins_in(base[LOCK])
    assert all(lock[each].spec == pin.spec for each, pin in manifest.items())
    assert all(bool(pin.via) == (each not in manifest) for each, pin in lock.items())
    assert all(asking in lock for pin in lock.values() for asking in pin.via)
    assert yaml.safe_load(base[WORKFLOW])["permissions"] == {"contents": "read"}
    for used, sha, tag in USED.findall(base[WORKFLOW]):
        assert TagRecord(tag, sha) in known(used, tag, sha).tags


@pytest.mark.parametrize(
    "line", ["hmac-tokens==1.9.0", "HMAC_Tokens >= 1.9, < 2", "hmac.tokens~=1.9.0 ; python_version > '3'"]
)
def test_a_line_of_a_manifest_is_read_as_packaging_reads_it(line):
    wanted = Requirement(line)
    (pin,) = pins_in(line).values()
    assert list(pins_in(line)) == ["hmac-tokens"]
    assert set(pin.spec.split(",")) == set(str(wanted.specifier).split(","))


def test_a_lock_says_who_asks_for_a_package():
    lines = ("# made by a tool", "bytes-equal==1.2.3  # via hmac-tokens, pytest", "hmac-tokens==1.9.0  # via -r a.txt")
    assert pins_in("\n".join(lines)) == {
        "bytes-equal": Pin("==1.2.3", ("hmac-tokens", "pytest")),
        "hmac-tokens": Pin("==1.9.0"),
    }


def test_a_change_of_a_lock_is_what_its_patch_shows():
    old = "".join(f"{name}==1.0.0\n" for name in "abcdefgh")
    change = the_change(old, old.replace("d==1.0.0", "d==1.1.0").replace("f==1.0.0\n", ""), LOCK)
    pins = pins_of([change], LOCK)
    assert pins.moved == {"d": Pin("==1.1.0")}
    assert sorted(pins.before) == list("bcdefgh")
    assert pins_of([change], MANIFEST).after == {}


def test_lines_of_a_workflow_stand_under_their_keys():
    found = {(place.key, place.value): place for place in places(the_change(None, SHOWN))}
    assert [key.name for key in found["types", "[opened]"].above] == ["on", "pull_request_target"]
    assert found["uses", "corvid/keep-logs@abc"].note == "v2.1.0"
    assert found["uses", "corvid/keep-logs@abc"].under == "steps"
    assert found["LABEL", "${{ github.event.pull_request.title }}"].under == "env"
    assert found["", 'echo "# $LABEL"'].under == "run"
    assert found["", "if: not a key"].under == "run"
    assert found["uses", "actions/checkout@v4"].under == "steps"


def test_a_hunk_that_begins_in_the_middle_knows_nothing_of_what_is_above():
    change = the_change(SHOWN, SHOWN.replace("          if: not a key\n", "          true\n"))
    (added,) = [place for place in places(change) if place.is_new]
    assert (added.under, added.key, added.value) == ("run", "", "true")
    change = the_change(SHOWN, SHOWN.replace("checkout@v4", "checkout@v5"))
    assert [(place.key, place.value, place.above) for place in places(change) if place.is_new] == [
        ("uses", "actions/checkout@v5", ())
    ]


@pytest.mark.parametrize("name", ["k23-strange-action", "k25-untrusted-input", "k24-broad-rights"])
def test_a_changed_workflow_is_still_one_that_yaml_reads(name):
    kind = kinds()[name]
    for variant in kind.variants:
        for seed in range(3):
            version = proposal(ORG, PAYMENTS, kind, variant.name, fault=True, seed=seed).versions[0]
            assert version.head is not None
            for path, text in version.head.items():
                if path.startswith(".github/"):
                    assert all(job["steps"] for job in yaml.safe_load(text)["jobs"].values())


def test_an_action_that_a_change_adds_can_be_looked_up():
    kind = kinds()["k23-strange-action"]
    for variant in kind.variants:
        version = proposal(ORG, PAYMENTS, kind, variant.name, fault=False).versions[0]
        change = "".join(pages(version)["patch"])
        added = [match for line in change.splitlines() if line.startswith("+") for match in USED.findall(line)]
        assert added
        for name, sha, tag in added:
            assert sha == commit(name, tag)
            (sheet,) = version.artefacts["inspect_dependency", name].sheets
            assert TagRecord(tag, sha) in action.parse(name, sheet.text)
