"""The handbook that `read_policy` shows: the public policy as YAML, in pages that are documents by themselves."""

import json
from collections.abc import Iterable
from typing import Any, cast

import yaml

from releaseops_mcp.world.orgs.model import Handbook, Org

SECTIONS = (("id", "title", "rules", "exceptions"), ("services", "labels", "calendar"), ("people",))
"""What stands on each page."""


def pages_of(org: Org) -> tuple[str, ...]:
    """Return the pages of an organisation's handbook."""
    document = org.public.model_dump(mode="json", exclude_defaults=True)
    return tuple("".join(_section(key, document[key]) for key in section if key in document) for section in SECTIONS)


def read(pages: Iterable[str]) -> Handbook:
    """Return the handbook of all the pages; raises ValueError where a page is missing or is not YAML."""
    document: dict[str, Any] = {}
    for page in pages:
        document |= yaml.load(page, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
    return Handbook.model_validate(document)


def _section(key: str, value: Any) -> str:
    if isinstance(value, list):
        rows = cast("list[Any]", value)
        return f"{key}:\n" + "".join(f"- {json.dumps(row)}\n" for row in rows)
    return f"{key}: {json.dumps(value)}\n"
