"""Reading pages: what is there, what it costs, and what comes back."""

from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.episodes.gate.refusals import refuse, shown
from releaseops_mcp.episodes.gate.release import Release
from releaseops_mcp.world import precedents
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.evidence.sheet import Sheet
from releaseops_mcp.world.orgs import handbook

READER_MINUTES = 5


class Shelf:
    """Remembers what has been read: a page whose text has not changed since is free."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._read: set[tuple[str, str, int, str]] = set()
        self._texts: dict[str, tuple[str, ...]] = {}

    def inspect(self, tool: str, artefact_id: str, page: int) -> Json | Refusal:
        """Return one page of an artefact, at the price of a unit and of its format's minutes."""
        artefact = self._release.artefact(tool, artefact_id)
        if artefact is None:
            return refuse("unknown_artifact", value=shown(artefact_id), tool=tool)
        sheets = artefact.sheets
        if page > len(sheets):
            return refuse("unknown_page", value=artefact_id, pages=len(sheets))
        sheet = sheets[page - 1]
        key = (tool, artefact_id, page, sheet.text)
        fresh = key not in self._read
        if fresh and self._release.units <= 0:
            return refuse("no_review_units")
        minutes = formats()[sheet.topic.format].minutes if fresh else 0
        self._read.add(key)
        self._release.units -= fresh
        self._release.pass_time(minutes)
        return _page(artefact_id, page, sheets, sheet) | {"cost": {"units": int(fresh), "minutes": minutes}}

    def read(self, tool: str, page: int) -> Json | Refusal:
        """Return one page of the handbook or of the past decisions, at the price of some minutes."""
        if tool not in self._texts:
            world = self._release.world
            self._texts[tool] = handbook.pages_of(world.org) if tool == "read_policy" else precedents.pages_of(world)
        pages = self._texts[tool]
        if page > len(pages):
            return refuse("unknown_page", value=tool, pages=len(pages))
        key = (tool, "", page, "")
        minutes = 0 if key in self._read else READER_MINUTES
        self._read.add(key)
        self._release.pass_time(minutes)
        return {
            "page": page,
            "pages": len(pages),
            "text": pages[page - 1],
            "cost": {"units": 0, "minutes": minutes},
        }


def _page(artefact_id: str, page: int, sheets: tuple[Sheet, ...], sheet: Sheet) -> Json:
    return {
        "artifact": artefact_id,
        "page": page,
        "contents": [each.topic.format for each in sheets],
        "format": sheet.topic.format,
        "text": sheet.text,
        "truncated": page < len(sheets),
        "next_page": page + 1 if page < len(sheets) else None,
    }
