"""Which product functions each new or changed test of a run enters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from releaseops_mcp.world.ci.modules import Function, module
from releaseops_mcp.world.ci.reach import entered

Tree = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Section:
    """One test and one file of product code."""

    test: str
    """Its id."""
    path: str
    functions: tuple[Function, ...]
    """All of the file's, in file order."""
    hit: frozenset[str]
    """Names of those that the test enters."""


def sections(base: Tree, tree: Tree, package: str, tests: Sequence[str]) -> Iterator[Section]:
    """Yield a section for each test that the change adds or rewrites and each product file that the change touches.

    Another file has one where the test enters it. `tests` are the ids of those that ran.
    """
    touched = [path for path in sorted(tree) if _is_code(path, package) and base.get(path) != tree[path]]
    for test in tests if touched else ():
        if _source(tree, test) == _source(base, test):
            continue
        places = entered(tree, test)
        others = sorted({path for path, _ in places if _is_code(path, package)} - set(touched))
        for path in (*touched, *others):
            functions = tuple(sorted(module(path, tree[path]).functions.values(), key=lambda each: each.first))
            yield Section(test, path, functions, frozenset(name for where, name in places if where == path))


def _is_code(path: str, package: str) -> bool:
    return path.startswith(f"{package}/") and path.endswith(".py")


def _source(tree: Tree, test: str) -> str:
    """Return a test's own lines; "" where the tree does not have it."""
    path, _, name = test.partition("::")
    text = tree.get(path, "")
    found = module(path, text).functions.get(name.replace("::", "."))
    return "\n".join(text.splitlines()[found.first - 1 : found.last]) if found else ""
