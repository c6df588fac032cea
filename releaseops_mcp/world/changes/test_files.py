"""Edits of whole test files and functions, as text: taken out, put elsewhere, files moved."""

import ast
from collections.abc import Mapping
from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft

GAP = "\n\n"
"""Blank lines between two functions."""


def functions(text: str) -> dict[str, ast.FunctionDef]:
    """Return a file's own functions by name, in file order."""
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def block(text: str, name: str) -> str:
    """Return the source of a function with its decorators; raises KeyError where there is none of that name."""
    first, last = _span(functions(text)[name])
    return "".join(text.splitlines(True)[first:last])


def header(text: str) -> str:
    """Return what stands before a file's first function: imports and constants."""
    first, _ = _span(next(iter(functions(text).values())))
    return "".join(text.splitlines(True)[:first]).rstrip("\n") + "\n"


def without(text: str, *names: str) -> str:
    """Return a file without some of its functions and the blank lines that set them off."""
    for name in names:
        lines = text.splitlines(True)
        first, last = _span(functions(text)[name])
        before, after = "".join(lines[:first]).rstrip("\n"), "".join(lines[last:]).strip("\n")
        text = f"{before}\n{GAP}{after}\n" if before and after else f"{before or after}\n"
    return text


def with_block(text: str, *blocks: str) -> str:
    """Return a file with functions added at its end."""
    return GAP.join([text.rstrip("\n") + "\n", *(each.strip("\n") + "\n" for each in blocks)])


def put(draft: Draft, changes: Mapping[str, str | None]) -> None:
    """Change files of the head commit in place; None takes a file out."""
    tree = {**draft.head.tree, **changes}
    kept = {path: text for path, text in tree.items() if text is not None}
    draft.commits[-1] = replace(draft.head, tree=dict(sorted(kept.items())))


def _span(node: ast.FunctionDef) -> tuple[int, int]:
    """Return the function's lines as a half-open range, its decorators included."""
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return first - 1, node.end_lineno or node.lineno
