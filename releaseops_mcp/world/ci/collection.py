"""Which tests pytest would collect in a tree, and which of them it would skip on the CI platform."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

CI_FACTS = {
    "os.getenv('CI') == 'true'": True,
    "'CI' in os.environ": True,
    "sys.platform == 'win32'": False,
    "sys.platform == 'darwin'": False,
    "sys.platform == 'linux'": True,
    "sys.platform.startswith('win')": False,
    "True": True,
}
"""What the conditions of `skipif` come to on the runner, by their canonical source; any other is false there."""


@dataclass(frozen=True, slots=True)
class Collected:
    """One test as pytest would collect it."""

    id: str
    """`path::name`, or `path::Class::name`."""
    line: int
    skipped: str | None
    """The reason, or None where it runs."""


@lru_cache(maxsize=4096)
def collect_file(path: str, text: str) -> tuple[Collected, ...]:
    """Return the tests of one file, in file order."""
    module = ast.parse(text)
    whole = _module_skip(module)
    return tuple(
        Collected(f"{path}::{name}", line, whole or reason) for name, line, reason in _tests(module.body, "", None)
    )


def collect(tree: Mapping[str, str]) -> tuple[Collected, ...]:
    """Return the tests of a tree in the order in which pytest runs them: files by path, then by line."""
    found: list[Collected] = []
    for path in sorted(tree):
        name = path.rpartition("/")[2]
        if path.startswith("tests/") and name.startswith("test_") and name.endswith(".py"):
            found += collect_file(path, tree[path])
    return tuple(found)


def _tests(body: list[ast.stmt], prefix: str, inherited: str | None) -> Iterator[tuple[str, int, str | None]]:
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield prefix + node.name, node.lineno, inherited or _marks(node.decorator_list)
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _tests(node.body, f"{prefix}{node.name}::", inherited or _marks(node.decorator_list))


def _module_skip(module: ast.Module) -> str | None:
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            marks = node.value.elts if isinstance(node.value, ast.List) else [node.value]
            if reason := _marks(marks):
                return reason
        call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.importorskip":
            return f"could not import {ast.unparse(call.args[0])}"
    return None


def _marks(decorators: list[ast.expr]) -> str | None:
    for decorator in decorators:
        call = decorator if isinstance(decorator, ast.Call) else None
        name = ast.unparse(call.func if call else decorator)
        if name == "pytest.mark.skip":
            return _reason(call) or "unconditional skip"
        if name == "pytest.mark.skipif" and call and CI_FACTS.get(ast.unparse(call.args[0]), False):
            return _reason(call) or ast.unparse(call.args[0])
    return None


def _reason(call: ast.Call | None) -> str:
    for keyword in call.keywords if call else ():
        if keyword.arg == "reason" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return ""
