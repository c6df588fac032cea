"""Executed truth of what tests exercise: profilers and property checks, run on the trees, agree with the pages."""

import json
import subprocess
import sys

import pytest

from releaseops_mcp.world.artefacts.lcov import FunctionHits
from releaseops_mcp.world.artefacts.properties import PropertyRecord
from releaseops_mcp.world.kinds.k02_special_case import KIND as SPECIAL_CASE
from releaseops_mcp.world.kinds.k03_weak_assertion import KIND as WEAK_ASSERTION
from releaseops_mcp.world.kinds.k05_mocked_subject import KIND as MOCKED_SUBJECT
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.templates import load_template
from tests.world.cases import proposal
from tests.world.test_artefacts import write
from tests.world.test_ci import outcomes
from tests.world.test_materialize import records, reported
from tests.world.test_reach import profiled

SERVICES = {"payments": ("cedarline", "payments"), "inventory": ("looplatch", "stockroom")}


def planted(template, kind, variant, fault, seed):
    org_id, service = SERVICES[template]
    org = load_org(org_id)
    return proposal(org, org.service(service), kind, variant, fault=fault, seed=seed).versions[0]


@pytest.mark.parametrize("fault", [True, False], ids=["fault", "twin"])
@pytest.mark.parametrize(
    ("template", "kind", "variant", "seed"),
    [
        ("payments", MOCKED_SUBJECT, "double", 0),
        ("inventory", MOCKED_SUBJECT, "double", 1),
        ("payments", MOCKED_SUBJECT, "patched", 1),
        ("inventory", MOCKED_SUBJECT, "patched", 0),
        ("payments", MOCKED_SUBJECT, "copy", 2),
        ("inventory", WEAK_ASSERTION, "broad-error", 0),
    ],
)
def test_new_tests_enter_what_the_coverage_says(tmp_path, template, kind, variant, seed, fault):
    version = planted(template, kind, variant, fault, seed)

    real = profiled(tmp_path, version.head)

    hits = [record for record in records(version, "lcov") if isinstance(record, FunctionHits)]
    assert hits
    assert set(real) == set(reported(version))
    for each in hits:
        places = set.union(*(found for test, found in real.items() if test.endswith(f"::{each.test}")))
        assert ((each.path, each.function) in places) == bool(each.hits), each


@pytest.mark.parametrize("variant", ["in-place", "over-pushed", "stated"])
@pytest.mark.parametrize("template", SERVICES)
def test_properties_hold_or_not_as_the_report_says(tmp_path, template, variant):
    checks = {each.name: each.check for each in load_template(template).written.properties}
    for seed, fault in ((0, True), (1, False)):
        version = planted(template, SPECIAL_CASE, variant, fault, seed)
        folder = tmp_path / f"{seed}-{fault}"
        write(folder, version.head)

        found = {each.name: each.holds for each in records(version, "properties") if isinstance(each, PropertyRecord)}

        assert len(found) >= 3
        assert holding(folder, {name: checks[name] for name in found}) == found


TRY = """
import json, sys
import pytest
found = {}
for name, check in json.load(sys.stdin).items():
    try:
        exec(check, {})
    except (Exception, pytest.fail.Exception):
        found[name] = False
    else:
        found[name] = True
print(json.dumps(found))
"""
"""Runs checks by name, each by itself, and prints which of them hold."""


def holding(folder, checks):
    """Return which properties really hold of the tree in a folder."""
    asked = json.dumps(checks)
    command = [sys.executable, "-c", TRY]
    ran = subprocess.run(command, cwd=folder, check=True, capture_output=True, input=asked, text=True)
    return json.loads(ran.stdout)


@pytest.mark.parametrize("name", SERVICES)
def test_a_shortcut_passes_every_test_and_one_property_tells(tmp_path, name):
    template = load_template(name)
    assert len(template.shortcuts) >= 3
    for number, shortcut in enumerate(template.shortcuts):
        edit = next(edit for edit in template.edits if edit.name == shortcut.edit)
        known = template.property_of(shortcut)
        for works in (True, False):
            folder = tmp_path / f"{number}-{works}"
            write(folder, template.cut_short(template.edited(edit), shortcut, works=works))

            assert holding(folder, {known.name: known.check}) == {known.name: works}
            assert set(outcomes(folder, {}).values()) == {"passed"}
