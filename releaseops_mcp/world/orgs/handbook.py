"""The handbook that `read_policy` shows: the public policy as YAML, in pages that are documents by themselves.

A list that is longer than a page goes on under the same key on the next one.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

import yaml

from releaseops_mcp.world.orgs.model import Handbook, Org

SECTIONS = (("id", "title", "rules", "exceptions"), ("services", "labels", "calendar", "people"))
"""What stands on each page, or on pages of its own."""
PAGE = 2_800
"""Characters that a page holds, a longer line aside."""


def pages_of(org: Org) -> tuple[str, ...]:
    """Return the pages of an organisation's handbook."""
    document = org.public.model_dump(mode="json", exclude_defaults=True)
    return tuple(
        page for section in SECTIONS for page in _pages({key: document[key] for key in section if key in document})
    )


def read(pages: Iterable[str]) -> Handbook:
    """Return the handbook of all the pages; raises ValueError where a page is missing or is not YAML."""
    document: dict[str, Any] = {}
    for page in pages:
        read = yaml.load(page, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
        for key, value in read.items():
            document[key] = [*document.get(key, ()), *value] if isinstance(value, list) else value
    return Handbook.model_validate(document)


def _pages(section: dict[str, Any]) -> Iterator[str]:
    """Yield the pages of a section: whole lines, each list under its key."""
    text = last = ""
    for key, line in _lines(section):
        if text and len(text) + len(line) > PAGE:
            yield text
            text = last = ""
        if line.startswith("- ") and key != last:
            text += f"{key}:\n"
        text, last = text + line, key
    if text:
        yield text


def _lines(section: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in section.items():
        if isinstance(value, list) and value:
            yield from ((key, f"- {json.dumps(row)}\n") for row in cast("list[Any]", value))
        else:
            yield key, f"{key}: {json.dumps(value)}\n"
