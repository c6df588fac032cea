"""The gate of templates on one edit, and that it would find a template that is not what it says."""

from dataclasses import replace

from releaseops_mcp.world.templates import load_template
from tests.gates.gate_templates import breaks_what_it_names, cases_of, checks_as_told

TEMPLATE = load_template("pipeline")
CASES = {case.name: case for case in cases_of(TEMPLATE)}


def test_every_edit_has_a_defect_and_a_shortcut_is_taken_with_and_without_the_work() -> None:
    assert {"spread", "unsorted", "spread, shortcut", "spread, shortcut and work"} <= set(CASES)
    assert len(CASES) == 2 * len(TEMPLATE.edits) + 2 * len(TEMPLATE.shortcuts)


def test_a_defect_breaks_what_it_names_and_a_shortcut_breaks_nothing() -> None:
    assert breaks_what_it_names(CASES["unsorted"])
    assert not breaks_what_it_names(replace(CASES["unsorted"], breaks=()))
    assert breaks_what_it_names(CASES["spread, shortcut"])


def test_a_shortcut_falsifies_a_property_that_holds_where_the_work_is_done() -> None:
    cut, whole = CASES["spread, shortcut"], CASES["spread, shortcut and work"]
    assert checks_as_told(TEMPLATE, cut)
    assert checks_as_told(TEMPLATE, whole)
    told = {each.name: each.holds for each in TEMPLATE.checked(cut.tree, cut.edit)}
    assert told["the_spread_is_that_of_the_inner_half"] is False


def test_a_property_that_is_told_to_hold_and_does_not_is_found_out() -> None:
    cut = CASES["spread, shortcut"]
    path = "pipeline/aggregate.py"
    reworded = {**cut.tree, path: cut.tree[path].replace("len(values) > 1 and", "1 < len(values) and")}
    assert reworded != cut.tree
    assert not checks_as_told(TEMPLATE, replace(cut, tree=reworded))
