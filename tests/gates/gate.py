"""What a gate is: one measured figure and what it must be."""

from dataclasses import dataclass

Value = float | int | str


@dataclass(frozen=True)
class Gate:
    """One measured figure and what it must be."""

    name: str
    value: Value
    """A number in the unit that `must` names, or a short text."""
    must: str
    """What it must be, readable, such as `at most 5 %`."""
    ok: bool
    note: str = ""
    """How it was measured, with its interval where it has one."""


def at_most(name: str, value: float, limit: float, unit: str = "", note: str = "") -> Gate:
    """Return a gate with a ceiling."""
    return Gate(name, value, _said("at most", limit, unit), value <= limit, note)


def at_least(name: str, value: float, limit: float, unit: str = "", note: str = "") -> Gate:
    """Return a gate with a floor."""
    return Gate(name, value, _said("at least", limit, unit), value >= limit, note)


def between(name: str, value: float, low: float, high: float, unit: str = "", note: str = "") -> Gate:
    """Return a gate with both."""
    return Gate(name, value, f"{low:g} to {_said('', high, unit)}", low <= value <= high, note)


def _said(bound: str, limit: float, unit: str) -> str:
    return f"{bound} {limit:g} {unit}".strip()
