"""Golden files: what they hold may be laid out anew, and a value that changes must be wanted."""

import json
import re
from collections import Counter

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.rules.strength.demand import Demand, Found, Strength

PAIR = re.compile(r'^(?:"(?P<name>[^"]+)"\s*:\s*)?(?P<value>.+?),?$')


def find(wanted: Strength, case: Case, view: View) -> Found:
    """Return the values of golden files that are gone or replaced; one that is only added is the new answer's own."""
    patch = case.topic("patch", "pr_")
    found: list[Demand] = []
    for change in view.records(patch, FileChange):
        if covered(wanted.goldens, change.path) and change.status in ("modified", "deleted"):
            grounds = view.sources(patch, [change])
            found += (Demand(grounds, *named) for named in _changed(change))
    return Found(tuple(found))


def _changed(change: FileChange) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Return the names and new values of what is no longer there, whatever the layout."""
    old = Counter(map(_pair, change.removed))
    new = Counter(map(_pair, change.added))
    came = list((new - old).elements())
    return [
        (frozenset((name,)), frozenset(value for key, value in came if key == name)) for name, _ in (old - new) if name
    ] + [(frozenset[str](), frozenset[str]()) for name, value in (old - new) if not name and value not in "[]{}"]


def _pair(line: str) -> tuple[str, str]:
    match = PAIR.match(line.strip())
    if match is None:
        return "", ""
    return match["name"] or "", _plain(match["value"])


def _plain(value: str) -> str:
    """Return a JSON value in one spelling; an opening bracket as it is."""
    try:
        return json.dumps(json.loads(value))
    except json.JSONDecodeError:
        return value.strip()
