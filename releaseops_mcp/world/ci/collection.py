"""Which tests pytest would collect in a tree, and which of them it would skip on the CI platform."""

import ast
import configparser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
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

FILES = ("test_*.py", "*_test.py")
"""Names of the files in which pytest looks for tests, where `pytest.ini` names no others."""
CONFTEST, SETTINGS = "conftest.py", "pytest.ini"


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
    unwanted, names = _ignored(tree), _file_names(tree.get(SETTINGS, ""))
    for path in sorted(tree):
        name = path.rpartition("/")[2]
        if path.startswith("tests/") and any(fnmatchcase(name, each) for each in names) and path not in unwanted:
            found += collect_file(path, tree[path])
    return tuple(found)


@lru_cache(maxsize=256)
def _file_names(text: str) -> tuple[str, ...]:
    """Return the patterns of `python_files`, by the text of `pytest.ini`."""
    reader = configparser.ConfigParser()
    reader.read_string(text)
    return tuple(reader.get("pytest", "python_files", fallback=" ".join(FILES)).split())


def _ignored(tree: Mapping[str, str]) -> set[str]:
    """Return the files that the `collect_ignore` of a conftest keeps out."""
    return {
        path[: -len(CONFTEST)] + name
        for path, text in tree.items()
        if path.rpartition("/")[2] == CONFTEST
        for name in _collect_ignore(text)
    }


@lru_cache(maxsize=256)
def _collect_ignore(text: str) -> tuple[str, ...]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "collect_ignore":
            return tuple(ast.literal_eval(node.value))
    return ()


def _tests(body: list[ast.stmt], prefix: str, inherited: str | None) -> Iterator[tuple[str, int, str | None]]:
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield prefix + node.name, node.lineno, inherited or _marks(node.decorator_list)
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test") and not _is_built(node):
            yield from _tests(node.body, f"{prefix}{node.name}::", inherited or _marks(node.decorator_list))


def _is_built(node: ast.ClassDef) -> bool:
    """Return whether a class has a constructor: pytest warns of it and collects nothing."""
    return any(isinstance(each, ast.FunctionDef) and each.name == "__init__" for each in node.body)


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
