"""What a call was about and what moved behind it, read off any suite's observations."""

from collections.abc import Iterator
from typing import Any, cast

from releaseops_mcp.agents.terminal.view import name_of, spoken
from releaseops_mcp.episodes.base import Json

MOST_MOVES = 8
"""Values that are named as moved in one line."""


def subject(arguments: Any, seen: Json) -> str:
    """Return the texts of the object in view that an argument names; empty where there is none."""
    named = list(cast("Json", arguments).values()) if isinstance(arguments, dict) else []
    return next((_told(item) for item in _objects(seen) if item[name_of(item)] in named), "")


def moved(before: Json, after: Json) -> Iterator[str]:
    """Yield what is different: plain values as `name old to new`, then the objects that have come into view."""
    changed = [
        f"{name.replace('_', ' ')} {spoken(before.get(name))} to {spoken(value)}"
        for name, value in _plain_values(after)
        if dict(_plain_values(before)).get(name) != value
    ]
    if changed:
        yield ", ".join(changed[:MOST_MOVES]) + (
            f", and {len(changed) - MOST_MOVES} more" if changed[MOST_MOVES:] else ""
        )
    known = [item[name_of(item)] for item in _objects(before)]
    yield from (f"new: {_told(item)}" for item in _objects(after) if item[name_of(item)] not in known)


def _told(item: Json) -> str:
    """Return an object in words: what it goes by, then its texts, the longest first."""
    name = name_of(item)
    texts = sorted(
        (value for key, value in item.items() if key != name and isinstance(value, str)), key=len, reverse=True
    )
    return f"{spoken(item[name])}: {', '.join(texts)}"


def _plain_values(observation: Json) -> Iterator[tuple[str, Any]]:
    for name, value in observation.items():
        if not isinstance(value, (dict, list)):
            yield name, value


def _objects(observation: Json) -> Iterator[Json]:
    """Yield the objects in the observation's lists that have values."""
    for value in observation.values():
        if isinstance(value, list):
            yield from (item for item in cast("list[Any]", value) if isinstance(item, dict) and item)
