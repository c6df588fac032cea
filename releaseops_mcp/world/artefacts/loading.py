"""JSON documents as they come: an object or an array of objects, told by a key that only this sort of document has."""

import json
from typing import Any, cast


def loaded(subject: str, text: str, what: str, key: str) -> dict[str, Any]:
    """Return the object; raises ValueError that it is not `what` where it is no object with this key."""
    document: Any = json.loads(text)
    if not isinstance(document, dict) or key not in document:
        raise ValueError(f"{subject}: not {what}: {text[:60]!r}")
    return cast("dict[str, Any]", document)


def loaded_rows(subject: str, text: str, what: str, key: str) -> list[dict[str, Any]]:
    """Return the objects of an array; raises ValueError that it is not `what` where one lacks the key."""
    rows: Any = json.loads(text)
    if not isinstance(rows, list) or not all(key in row for row in cast("list[Any]", rows)):
        raise ValueError(f"{subject}: not {what}: {text[:60]!r}")
    return cast("list[dict[str, Any]]", rows)
