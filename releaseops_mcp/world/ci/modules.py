"""Python files as their names resolve: functions, classes, what each module imports from others of the same tree."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method as coverage names it."""

    path: str
    name: str
    """`split`, or `Ledger.transfer`."""
    first: int
    """The line of its `def`."""
    last: int
    node: FunctionNode

    @property
    def is_property(self) -> bool:
        """Whether reading it calls it."""
        return any(isinstance(each, ast.Name) and each.id == "property" for each in self.node.decorator_list)


@dataclass(frozen=True, slots=True)
class Module:
    """One file."""

    path: str
    functions: Mapping[str, Function]
    """By name, methods with their class."""
    classes: Mapping[str, tuple[str, ...]]
    """Names of the bases by class."""
    imports: Mapping[str, tuple[str, str]]
    """(module, name) by the local name; the name is "" where the module itself is meant."""


@lru_cache(maxsize=1024)
def module(path: str, text: str) -> Module:
    """Return what a file defines and imports at its top level."""
    functions: dict[str, Function] = {}
    classes: dict[str, tuple[str, ...]] = {}
    imports: dict[str, tuple[str, str]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, FunctionNode):
            functions[node.name] = _function(path, "", node)
        elif isinstance(node, ast.ClassDef):
            classes[node.name] = tuple(ast.unparse(base) for base in node.bases)
            inner = (_function(path, f"{node.name}.", each) for each in node.body if isinstance(each, FunctionNode))
            functions |= {each.name: each for each in inner}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            imports |= {alias.asname or alias.name: (alias.name, "") for alias in node.names}
    return Module(path, functions, classes, imports)


def modules(tree: Mapping[str, str]) -> dict[str, Module]:
    """Return a tree's modules by the name under which they are imported: test files by their own name alone."""
    found: dict[str, Module] = {}
    for path, text in tree.items():
        if path.endswith(".py"):
            name = path.removesuffix(".py").removesuffix("/__init__").removeprefix("tests/").replace("/", ".")
            found[name] = module(path, text)
    return found


def _function(path: str, prefix: str, node: FunctionNode) -> Function:
    return Function(path, prefix + node.name, node.lineno, node.end_lineno or node.lineno, node)
