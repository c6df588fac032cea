"""Small edits of Python test files, as text."""

import re


def decorated(text: str, test: str, decorator: str, *imports: str) -> str:
    """Return a test file with a decorator on one of its functions and the modules that it needs imported.

    Raises ValueError where the file has no such test.
    """
    changed, count = re.subn(
        rf"^( *)(def {re.escape(test)}\()", rf"\1@{_literal(decorator)}\n\1\2", text, flags=re.MULTILINE
    )
    if not count:
        raise ValueError(f"no test {test!r} to decorate")
    return with_import(changed, *imports)


def with_import(text: str, *names: str) -> str:
    """Return a Python file that imports these modules, where it does not already."""
    missing = [f"import {name}" for name in sorted(names) if not re.search(rf"^import {name}$", text, re.MULTILINE)]
    return _with_imports(text, missing)


def _literal(text: str) -> str:
    return text.replace("\\", r"\\")


def _with_imports(text: str, lines: list[str]) -> str:
    if not lines:
        return text
    gap = "" if text.startswith("import ") else "\n"
    return "\n".join(sorted(lines)) + "\n" + gap + text
