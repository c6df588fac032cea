"""Assertions of test files, found and rewritten as text."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from releaseops_mcp.world.changes.test_files import functions


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a test that checks something."""

    path: str
    test: str
    line: int
    """Its place in the file, from 1."""
    text: str
    """The line as it stands, without its end."""
    subject: str
    expected: str
    is_repeatable: bool = False
    """Whether the line may stand there twice: it looks at nothing that the test itself made."""

    @property
    def indent(self) -> str:
        """The space before it."""
        return self.text[: len(self.text) - len(self.text.lstrip())]

    @property
    def number(self) -> float | None:
        """The expected value where it is a number."""
        try:
            value = ast.literal_eval(self.expected)
        except (ValueError, SyntaxError):
            return None
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def equalities(path: str, text: str) -> Iterator[Check]:
    """Yield the lines `assert SUBJECT == EXPECTED` of a file's tests, one statement a line, of exact values alone."""
    lines = text.splitlines()
    for name, function in functions(text).items():
        for node in ast.walk(function):
            if not isinstance(node, ast.Assert) or node.lineno != node.end_lineno or not name.startswith("test_"):
                continue
            test = node.test
            if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
                expected = ast.unparse(test.comparators[0])
                if "approx" not in expected and expected != "None":
                    written = ast.get_source_segment(text, test.left) or ""
                    value = ast.get_source_segment(text, test.comparators[0]) or ""
                    again = _own_names(function).isdisjoint(_names(test.left))
                    yield Check(path, name, node.lineno, lines[node.lineno - 1], written, value, again)


def _own_names(function: ast.FunctionDef) -> set[str]:
    """Return the names that a test makes or is given."""
    made = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return made | {each.arg for each in function.args.args}


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def refusals(path: str, text: str) -> Iterator[Check]:
    """Yield the lines `with pytest.raises(ERROR):` of a file's tests, of errors that say something."""
    lines = text.splitlines()
    for name, function in functions(text).items():
        for node in ast.walk(function):
            if isinstance(node, ast.With) and isinstance(node.items[0].context_expr, ast.Call):
                call = node.items[0].context_expr
                error = ast.unparse(call.args[0]) if call.args else ""
                if ast.unparse(call.func) == "pytest.raises" and not call.keywords and error != "Exception":
                    yield Check(path, name, node.lineno, lines[node.lineno - 1], "", error)


def rewritten(tree: Mapping[str, str], check: Check, *new: str) -> dict[str, str]:
    """Return the file of a check with other lines in its place."""
    lines = tree[check.path].splitlines(True)
    lines[check.line - 1 : check.line] = [f"{check.indent}{line}\n" for line in new]
    return {check.path: "".join(lines)}
