"""Service templates are what they say: edits and shortcuts are green, defects break what they name, properties hold."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from releaseops_mcp.world.templates import Edit, Template, load_template, template_names
from tests.gates.executing import Machine, laid_out
from tests.gates.gate import Gate, at_most

CHECKED = """
import pytest
for name, check in {checks!r}:
    try:
        exec(check, {{}})
    except (Exception, pytest.fail.Exception):
        continue
    print(name)
"""
"""Prints the names of the properties that hold. What `pytest.raises` misses is no Exception."""


@dataclass(frozen=True, slots=True)
class Case:
    """One tree that a template offers."""

    name: str
    edit: Edit
    tree: Mapping[str, str]
    breaks: tuple[str, ...] = ()
    shown: bool = True
    """Whether property checks are ever reported of it: they are not of a tree with a defect."""


def gates() -> Iterator[Gate]:
    cases = [(template, case) for template in map(load_template, template_names()) for case in cases_of(template)]
    astray = [f"{template.name}: {case.name}" for template, case in cases if not breaks_what_it_names(case)]
    note = f"of {len(cases)} trees: each edit, each defect, each shortcut; {', '.join(astray[:3]) or 'none'}"
    yield at_most("gate: trees of templates that break other tests than named", len(astray), 0, "", note)
    told = [case for case in cases if case[1].shown]
    untrue = [f"{template.name}: {case.name}" for template, case in told if not checks_as_told(template, case)]
    note = f"of {len(told)} trees; {', '.join(untrue[:3]) or 'none'}"
    yield at_most("gate: trees of templates whose property checks come out otherwise", len(untrue), 0, "", note)


def cases_of(template: Template) -> Iterator[Case]:
    """Yield every edit, with its defect and with its shortcuts before and in place of what does the work."""
    for edit in template.edits:
        defect, head = template.defect_of(edit), template.edited(edit)
        yield Case(edit.name, edit, head)
        yield Case(defect.name, edit, template.broken(head, defect), defect.breaks, shown=False)
        for shortcut in template.shortcuts:
            if shortcut.edit == edit.name:
                for works in (True, False):
                    tree = template.cut_short(head, shortcut, works=works)
                    yield Case(f"{edit.name}, shortcut{' and work' if works else ''}", edit, tree)


def breaks_what_it_names(case: Case) -> bool:
    """Return whether real pytest finds broken what is named, and nothing else."""
    with laid_out(case.tree) as folder:
        found = Machine().run(folder, case.tree).outcomes
    return {test for test, outcome in found.items() if outcome != "passed"} == set(case.breaks)


def checks_as_told(template: Template, case: Case) -> bool:
    """Return whether each property check comes out as the template says."""
    told = {each.name: each.holds for each in template.checked(case.tree, case.edit)}
    checks = [(each.name, each.check) for each in template.written.properties if each.name in told]
    with laid_out(case.tree) as folder:
        command = [sys.executable, "-c", CHECKED.format(checks=checks)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stdout.split()) == {name for name, holds in told.items() if holds}
