"""HTML and SVG as strings: everything that is put in is escaped, but for what is markup already."""

from html import escape
from typing import Any

NONE = "\N{EN DASH}"
"""Stands for a figure that there is none of."""
_MINUS = "\N{MINUS SIGN}"


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: Any) -> Markup:
    """Return an element; `class_` and `for_` lose their underscore, other underscores become hyphens."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_attribute(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{written}>{joined(*children)}</{name}>")


def joined(*children: str) -> Markup:
    """Return children side by side, plain text escaped."""
    return Markup("".join(child if isinstance(child, Markup) else escape(child, quote=False) for child in children))


def number(value: float | None, digits: int = 3) -> str:
    """Return a figure for people, a dash where there is none."""
    return NONE if value is None else f"{value:.{digits}f}".replace("-", _MINUS)


def share(value: float | None) -> str:
    """Return a share as per cent, a dash where there is none."""
    return NONE if value is None else f"{value:.0%}"


def span(between: tuple[float, float] | None, digits: int = 2) -> str:
    """Return an interval for people, a dash where there is none."""
    return NONE if between is None else f"{number(between[0], digits)} to {number(between[1], digits)}"


def _attribute(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
