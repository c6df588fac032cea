"""The parameters of judges on the command line: read from options, and listed."""

import inspect
import json
from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from releaseops_mcp.canary.judges import find_judge, judges
from releaseops_mcp.cli.output import results
from releaseops_mcp.errors import InvalidArgument


def parameters(
    judge: str, margin: float | None, alpha: float | None, limits: Sequence[str], assigned: Sequence[str]
) -> dict[str, Any]:
    """Return the parameters that the options give; raises InvalidArgument for one that cannot be read."""
    given = {name: value for name, value in (("margin", margin), ("alpha", alpha)) if value is not None}
    return {**given, **_limits(limits), **dict(_assigned(judge, each) for each in assigned)}


def _limits(limits: Sequence[str]) -> dict[str, Any]:
    """Return `limit` and `limits` of X and METRIC=X."""
    found: dict[str, Any] = {}
    for text in limits:
        metric, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            raise InvalidArgument(f"--limit {text}: write a number, or METRIC=NUMBER") from None
        if equals:
            found.setdefault("limits", {})[metric] = value
        else:
            found["limit"] = value
    return found


def _assigned(judge: str, text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidArgument(f"--set {text}: write NAME=VALUE; `releaseops judge --list` has what {judge} knows")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def list_judges() -> None:
    """Print every judge with its parameters and their defaults."""
    for name, kind in judges().items():
        results().print(Text(name, style="bold"))
        for paragraph in (inspect.getdoc(kind) or "").split("\n\n"):
            results().print(Text(" ".join(paragraph.split())))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        default = find_judge(name)
        for parameter, field in kind.model_fields.items():
            table.add_row(parameter, _said(getattr(default, parameter)), " ".join((field.description or "").split()))
        results().print(table)
        results().print()


def _said(value: object) -> str:
    return "-" if value is None or value in ({}, frozenset()) else str(value)
