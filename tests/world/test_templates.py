"""Service templates: small real projects that keep what kinds rely on, green at base and after each edit."""

import re
from importlib import resources
from pathlib import PurePosixPath

import pytest
import yaml

from releaseops_mcp.world import templates
from releaseops_mcp.world.artefacts.patch import file_diff
from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.ci.interpreter import WORKFLOW, run_tests
from releaseops_mcp.world.globs import matches
from releaseops_mcp.world.levels import LEVELS
from releaseops_mcp.world.templates import load_template, template_names
from tests.world.test_ci import outcomes

PLACES = {
    ".github/workflows/ci.yml": "workflow",
    "CODEOWNERS": "ownership",
    "requirements.txt": "dependencies",
    "requirements.lock": "dependencies",
    ".coveragerc": "quality",
    "api/*.proto": "api",
    "flags.yaml": "flags",
    "tests/goldens/*.json": "tests",
    "tests/test_*.py": "tests",
    "migrations/*.sql": "schema",
    "docs/runbook.md": "docs",
}
"""Files that every template has, and the surfaces that they belong to."""
SHORT_EDITS = 2
"""How many edits must fit level 1, over different modules."""
PIN = re.compile(r"^([a-z][a-z0-9-]*)==([0-9.]+)(?: +# via ([a-z][a-z0-9-]*))?$")

each_template = pytest.mark.parametrize(
    "template", [load_template(name) for name in template_names()], ids=template_names()
)


class Strict(yaml.SafeLoader):
    """Reads YAML and refuses a key that occurs twice, of which the first would be lost unseen."""


def once(loader: Strict, node: yaml.MappingNode) -> dict[str, object]:
    keys = [loader.construct_object(key) for key, _ in node.value]
    assert len(set(keys)) == len(keys), [key for key in keys if keys.count(key) > 1]
    return loader.construct_mapping(node, deep=True)


Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, once)


def changed(template, edit):
    """The files that an edit changes, with their texts before and after."""
    head = template.edited(edit)
    paths = sorted({*template.base, *head})
    return {path: (template.base.get(path), head.get(path)) for path in paths if template.base.get(path) != head[path]}


def diff_length(template, edit):
    return sum(len(file_diff(path, old, new)) for path, (old, new) in changed(template, edit).items())


@pytest.mark.parametrize("name", template_names())
def test_no_key_of_its_file_is_written_twice(name):
    text = resources.files(templates).joinpath(f"{name}.yaml").read_text()
    assert yaml.load(text, Strict)["name"] == name


@each_template
def test_it_has_the_files_that_every_service_has(template):
    for glob, surface in PLACES.items():
        found = [path for path in template.base if matches(glob, path)]
        assert found, glob
        assert {template.surface(path) for path in found} == {surface}


@each_template
def test_every_file_belongs_to_a_surface(template):
    assert [path for path in template.base if template.surface(path) == "other"] == []


@each_template
def test_the_workflow_tests_and_announces(template):
    text = template.base[WORKFLOW]
    assert text.startswith("name: ci\n")
    assert "        run: pytest -q --junitxml=report.xml\n" in text
    assert f"        run: python -m {template.package}.announce\n" in text
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


@each_template
def test_the_lock_agrees_with_the_manifest(template):
    manifest, lock = (
        {name: (version, via) for name, version, via in (PIN.match(line).groups() for line in text.splitlines())}
        for text in (template.base["requirements.txt"], template.base["requirements.lock"])
    )
    assert {name for name, (_, via) in lock.items() if via is None} == set(manifest)
    assert {name: lock[name] for name in manifest} == manifest
    assert {via for _, via in lock.values() if via} <= set(manifest)
    assert set(lock) > set(manifest)


@each_template
def test_its_api_has_two_messages_an_enum_and_a_number_that_is_kept_free(template):
    text = template.base[f"api/{template.package}.proto"]
    assert text.startswith('syntax = "proto3";\n')
    assert f"package {template.package}.v1;" in text
    assert (text.count("message "), text.count("enum "), text.count("reserved ")) == (2, 1, 1)


@each_template
def test_its_flags_have_owners_and_defaults(template):
    flags = yaml.safe_load(template.base["flags.yaml"])
    assert len(flags) >= 2
    for flag in flags:
        assert flag.keys() == {"name", "default", "owner"}
        assert isinstance(flag["default"], bool)


@each_template
def test_a_test_reads_the_golden_file(template):
    goldens = [PurePosixPath(path).name for path in template.base if path.startswith("tests/goldens/")]
    tests = "".join(text for path, text in template.base.items() if path.startswith("tests/test_"))
    assert all(f'"{golden}"' in tests for golden in goldens)


@each_template
def test_its_last_migration_alters_a_table(template):
    last = max(path for path in template.base if path.startswith("migrations/"))
    assert re.match(r"migrations/\d{4}_\w+\.sql$", last)
    assert template.base[last].startswith("ALTER TABLE ")


@each_template
def test_product_files_begin_with_one_line_that_says_what_they_are(template):
    for path, text in template.base.items():
        if template.surface(path) == "source":
            assert re.match(r'"""[^"\n]+"""$', text.splitlines()[0]), path


@each_template
def test_there_are_edits_enough_and_each_has_one_defect(template):
    assert len(template.edits) >= 6
    assert sorted(defect.edit for defect in template.written.defects) == sorted(edit.name for edit in template.edits)
    assert len({defect.name for defect in template.written.defects}) == len(template.written.defects)


@each_template
def test_an_edit_brings_a_test_and_changes_no_other(template):
    before = {test.id for test in collect(template.base)}
    for edit in template.edits:
        after = {test.id for test in collect(template.edited(edit))}
        assert after > before, edit.name
        for path, (old, new) in changed(template, edit).items():
            if path.startswith("tests/test_"):
                lines = [line for line in old.splitlines() if not line.startswith("from ")]
                assert all(line in new.splitlines() for line in lines), edit.name


@each_template
def test_a_defect_is_in_the_changed_code_and_breaks_the_test_that_guards_it(template):
    before = {test.id for test in collect(template.base)}
    for edit in template.edits:
        defect = template.defect_of(edit)
        assert edit.guards in before
        assert edit.guards in defect.breaks
        assert defect.path in changed(template, edit)
        assert template.surface(defect.path) == "source"
        assert set(defect.breaks) <= {test.id for test in collect(template.edited(edit))}


@each_template
def test_some_edits_fit_the_first_level_over_different_modules(template):
    short = [edit for edit in template.edits if diff_length(template, edit) <= LEVELS[1].edit_characters]
    assert len({template.defect_of(edit).path for edit in short}) >= SHORT_EDITS


@each_template
def test_the_last_edit_is_green_and_its_defect_breaks_what_it_names(tmp_path, template):
    # The first edit is run in test_ci, all of them in the gates.
    edit = template.edits[-1]
    defect = template.defect_of(edit)
    head = template.edited(edit)
    broken = template.broken(head, defect)

    assert set(outcomes(tmp_path / "head", head).values()) == {"passed"}
    found = outcomes(tmp_path / "broken", broken)
    assert found == {test.id: test.outcome for test in run_tests(broken, dict.fromkeys(defect.breaks, ""))}
    assert {test for test, outcome in found.items() if outcome == "failed"} == set(defect.breaks)


def test_templates_share_no_package():
    names = [
        {PIN.match(line)[1] for line in load_template(name).base["requirements.txt"].splitlines()} - {"pytest"}
        for name in template_names()
    ]
    assert len(set.union(*names)) == sum(map(len, names))


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="no service template 'nothing': use one of identity, inventory"):
        load_template("nothing")


@each_template
def test_a_shortcut_falsifies_a_property_that_holds_where_the_work_is_done(template):
    assert len(template.shortcuts) >= 3
    for shortcut in template.shortcuts:
        edit = next(each for each in template.edits if each.name == shortcut.edit)
        head = template.edited(edit)
        trees = [head, *(template.cut_short(head, shortcut, works=works) for works in (True, False))]
        found = [{each.name: each.holds for each in template.checked(tree, edit)} for tree in trees]
        assert template.property_of(shortcut).edit == edit.name
        assert [each[shortcut.property] for each in found] == [True, True, False]


@each_template
def test_a_property_that_never_held_is_of_a_file_that_no_edit_touches(template):
    touched = {path for edit in template.edits for path in changed(template, edit)}
    for edit in template.edits:
        failing = [each for each in template.checked(template.edited(edit), edit) if not each.holds]
        assert failing, "where nothing ever fails, a failure tells everything"
        assert touched.isdisjoint(each.path for each in failing)
