"""What changed from one observation to the next."""

from typing import Any, cast

from releaseops_mcp.episodes.base import Json

GONE = None
"""Stands for a key or an item that the later observation lacks."""


def changes(before: Json, after: Json) -> Json:
    """Return the items of `after` that differ from `before`; a lost key maps to GONE.

    Objects are compared key by key. A list of objects with ids is compared id by id: a changed item shows its id and
    what changed in it, a new one all of itself, a lost one its id and `gone`. Any other list that differs is shown
    whole.
    """
    changed = {key: _change(before[key], value) for key, value in after.items() if key in before}
    fresh = {key: value for key, value in after.items() if key not in before}
    shown = {key: value for key, value in changed.items() if value is not _SAME}
    return shown | fresh | {key: GONE for key in before if key not in after}


_SAME: Any = object()


def _change(before: Any, after: Any) -> Any:
    if before == after and type(before) is type(after):
        return _SAME
    if isinstance(before, dict) and isinstance(after, dict):
        return changes(cast("Json", before), cast("Json", after)) or _SAME
    old, new = _by_id(before), _by_id(after)
    if old is None or new is None:
        return after
    rows = [_row(name, old.get(name), row) for name, row in new.items()]
    lost = [{"id": name, "gone": True} for name in old if name not in new]
    return [row for row in rows if row is not None] + lost or _SAME


def _row(name: str, before: Json | None, after: Json) -> Json | None:
    if before is None:
        return after
    changed = changes(before, after)
    return {"id": name} | changed if changed else None


def _by_id(value: Any) -> dict[str, Json] | None:
    """Return a list's objects by their ids, or None where they do not all have one of their own."""
    if not isinstance(value, list):
        return None
    rows = cast("list[Any]", value)
    if not all(isinstance(row, dict) for row in rows):
        return None
    named = {row["id"]: row for row in cast("list[Json]", rows) if isinstance(row.get("id"), str)}
    return named if len(named) == len(rows) else None
