"""A guarded test leaves the suite: it is taken out, it goes while its product stays, a command leaves its file out.

Twins: a test that moves to another file; tests that go together with the code that they tested; a file that nobody
guards.
"""

import ast
import re
from collections.abc import Mapping
from functools import lru_cache

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.first_page import shows
from releaseops_mcp.world.changes.test_files import block, functions, header, put, with_block, without
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.kinds.guarded import files, has_both, untouched
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template, load_template

FAMILY = "test_collection"
COMMAND = re.compile(r"^ +(?:run: )?pytest .*$", re.MULTILINE)
PLACES = ("edges", "rules", "more", "cases")
"""What the new file of a test that moves may be called."""
Retired = tuple[str, str, tuple[str, ...]]
"""A product function that nothing but its own tests uses: its file, its name, the ids of the tests."""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Take a guarded test out of the suite, in one of three forms."""
    if variant == "moved":
        _move(draft, fault, draws)
    elif variant == "with-product":
        _retire(draft, fault, draws)
    else:
        guarded, free = (draws.choice(files(draft.service, draft.template, guarded=wanted)) for wanted in (True, False))
        text = draft.head.tree[WORKFLOW]
        line = COMMAND.findall(text)[0]
        put(draft, {WORKFLOW: text.replace(line, f"{line} --ignore={guarded if fault else free}")})


def _move(draft: Draft, fault: bool, draws: Draws) -> None:
    """Take a test out of its file and open a file beside it: with that test, or with another one that stays."""
    tests = {path: [name for name in functions(text) if name.startswith("test_")] for path, text in _whole(draft)}
    able = [(path, name) for path, names in tests.items() for name in names if len(names) > 1]
    shown = [(path, name) for path, name in able if _is_shown(draft, path, name)]
    path, leaves = draws.choice(shown or able)
    stays = draws.choice([name for name in tests[path] if name != leaves])
    text = draft.head.tree[path]
    place = f"{path.removesuffix('.py')}_{draws.choice(PLACES)}.py"
    new = with_block(header(text), block(text, stays if fault else leaves))
    put(draft, {path: without(text, leaves), place: new})


def _is_shown(draft: Draft, path: str, name: str) -> bool:
    """Return whether the first page of the patch would show that a test is gone."""
    head = draft.head.tree
    return shows(draft.template.base, {**head, path: without(head[path], name)}, path)


def _whole(draft: Draft) -> list[tuple[str, str]]:
    """Return the guarded test files that the change leaves as they were, with their texts."""
    return [(path, draft.head.tree[path]) for path in untouched(draft)]


def _retire(draft: Draft, fault: bool, draws: Draws) -> None:
    """Take out the tests of a product function; it goes with them, or moves to another file."""
    product, name, tests = draws.choice(_retirable(draft.service.protected, draft.template.name, draft.edit.name))
    changes: dict[str, str | None] = {}
    path = tests[0].partition("::")[0]
    text = without(draft.head.tree[path], *(test.partition("::")[2] for test in tests))
    changes[path] = _unimported(text, name)
    source = draft.head.tree[product]
    changes[product] = without(source, name)
    if fault:
        place = _elsewhere(draft, product)
        changes[place] = _with_function(draft.head.tree[place], source, name, product)
    put(draft, changes)


def _elsewhere(draft: Draft, product: str) -> str:
    """Return another file of the product, one that the change leaves as it was where there is any."""
    paths = [path for path in draft.head.tree if path.startswith(f"{draft.template.package}/") and path.endswith(".py")]
    others = [path for path in paths if path != product and functions(draft.head.tree[path])]
    still = [path for path in others if draft.head.tree[path] == draft.template.base.get(path)]
    return (still or others)[0]


def _with_function(target: str, text: str, name: str, path: str) -> str:
    """Return a module with one function of another one more, and with what that needs imported."""
    node = functions(text)[name]
    tops = {each.id for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Name) and each.col_offset == 0}
    needed = sorted((tops | set(functions(text))) & _names(node) - {name})
    imports = [line for line in text.splitlines() if line.startswith(("import ", "from ")) and _serves(line, node)]
    if needed:
        imports.append(f"from {path.removesuffix('.py').replace('/', '.')} import {', '.join(needed)}")
    head, _, rest = target.partition("\n")
    added = "".join(f"\n{line}" for line in imports if line not in target) + "\n" * bool(imports)
    return with_block(f"{head}\n{added}{rest}", block(text, name))


def _serves(line: str, node: ast.AST) -> bool:
    """Return whether a function uses one of the names that a line imports."""
    return not _names(node).isdisjoint(re.findall(r"\w+", line.rpartition("import ")[2]))


def _unimported(text: str, name: str) -> str:
    """Return a test file that no longer imports a name, or any name of a module of which it used nothing else."""
    text = re.sub(rf"^(from \S+ import .*?)\b{name}, ", r"\1", text, flags=re.MULTILINE)
    text = re.sub(rf"^(from \S+ import .*?), {name}$", r"\1", text, flags=re.MULTILINE)
    return re.sub(rf"^from \S+ import {name}\n", "", text, flags=re.MULTILINE)


@lru_cache(maxsize=512)
def _retirable(protected: tuple[str, ...], template_name: str, edit: str) -> tuple[Retired, ...]:
    """Return the functions that may go with all their tests after an edit, one guarded file holding these."""
    template = load_template(template_name)
    tree = template.edited(next(each for each in template.edits if each.name == edit))
    found: list[Retired] = []
    for path, text in tree.items():
        if not path.startswith(f"{template.package}/") or not path.endswith(".py"):
            continue
        for name in functions(text):
            tests = _tests_of(name, tree)
            before = name in functions(template.base.get(path, ""))
            if before and tests and _is_free(name, path, tree, template) and _in_one(tests, protected, template, tree):
                found.append((path, name, tests))
    return tuple(found)


def _tests_of(name: str, tree: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        f"{path}::{test}"
        for path, text in tree.items()
        if path.startswith("tests/") and path.endswith(".py")
        for test, node in functions(text).items()
        if name in _names(node)
    )


def _is_free(name: str, path: str, tree: Mapping[str, str], template: Template) -> bool:
    """Return whether no product code uses a function, itself apart, and no constant would be left over."""
    texts = [text for each, text in tree.items() if each.startswith(f"{template.package}/") and each.endswith(".py")]
    return sum(len(re.findall(rf"\b{name}\b", text)) for text in texts) == 1 and len(functions(tree[path])) > 1


def _in_one(tests: tuple[str, ...], protected: tuple[str, ...], template: Template, tree: Mapping[str, str]) -> bool:
    """Return whether tests that were there before the edit lie in one guarded file, which keeps others."""
    paths = {test.partition("::")[0] for test in tests}
    path = next(iter(paths))
    if len(paths) > 1 or path not in files_of(protected, template):
        return False
    old = functions(template.base[path])
    names = [test.partition("::")[2] for test in tests]
    return all(name in old for name in names) and len(functions(tree[path])) > len(names)


def files_of(protected: tuple[str, ...], template: Template) -> list[str]:
    """Return the guarded test files, by what is guarded."""
    service = Service(name="-", template=template.name, tier=0, owners=(), protected=protected)
    return files(service, template)


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _may_move(org: Org, service: Service, template: Template) -> bool:
    several = [path for path in files(service, template) if len(functions(template.base[path])) > 1]
    return _allows(org, service, "elsewhere") and len(several) > 1


def _may_retire(org: Org, service: Service, template: Template) -> bool:
    fitting = all(_retirable(service.protected, template.name, edit.name) for edit in template.edits)
    return _allows(org, service, "with_product") and fitting


def _allows(org: Org, service: Service, setting: str) -> bool:
    return all(rule.params.get(setting, True) for rule in bearing(org, service, FAMILY))


def _may_be_left_out(org: Org, service: Service, template: Template) -> bool:
    return has_both(org, service, template) and bool(COMMAND.search(template.base[WORKFLOW]))


DIFFERS = ("patch", "commits", "junit", "log", "lcov")
KIND = Kind(
    name="k04-dropped-test",
    group="A",
    title="A guarded test leaves the suite",
    family=FAMILY,
    variants=(
        Variant("moved", depth=2, differs=DIFFERS, pages=3, fits=_may_move),
        Variant("with-product", depth=3, differs=(*DIFFERS, "properties", "reviews"), pages=3, fits=_may_retire),
        Variant("command", depth=3, differs=DIFFERS, pages=3, fits=_may_be_left_out),
    ),
    plant=plant,
)
