"""Reading pages: what is there, what it costs, and what comes back."""

from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.episodes.gate.refusals import refuse, shown
from releaseops_mcp.episodes.gate.release import Release
from releaseops_mcp.world import traps
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.evidence.sheet import Sheet
from releaseops_mcp.world.orgs import handbook
from releaseops_mcp.world.precedents import pages as precedents
from releaseops_mcp.world.world import World

READER_MINUTES = 5
CRASHED = "tool_crashed"
"""The refusal of a tool that failed before it read anything; the same call succeeds when it is made again."""


class Shelf:
    """Remembers what has been read: a page whose text has not changed since is free."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._read: set[tuple[str, str, int, str]] = set()
        self._texts: dict[str, tuple[str, ...]] = {}
        self._calls = 0

    def inspect(self, tool: str, artefact_id: str, page: int, offset: int = 0) -> Json | Refusal:
        """Return one page of an artefact, at the price of a unit and of its format's minutes.

        Where the world has set a trap, the call fails once, the answer is cut, or another commit's status is beside it.
        """
        artefact = self._release.artefact(tool, artefact_id)
        if artefact is None:
            return refuse("unknown_artifact", value=shown(artefact_id), tool=tool)
        sheets = artefact.sheets
        if page > len(sheets):
            return refuse("unknown_page", value=artefact_id, pages=len(sheets))
        sheet = sheets[page - 1]
        end = traps.pieces(sheet.text) if self._is_cut(tool, artefact_id, page) else 0
        if offset not in (0, end):
            return refuse("unknown_offset", value=artefact_id)
        self._calls += 1
        if self._calls == self._release.world.traps.crash:
            return refuse(CRASHED, tool=tool)
        key = (tool, artefact_id, page, sheet.text)
        fresh = key not in self._read
        if fresh and self._release.units <= 0:
            return refuse("no_review_units")
        minutes = formats()[sheet.topic.format].minutes if fresh else 0
        self._read.add(key)
        self._release.units -= fresh
        self._release.pass_time(minutes)
        answer = _page(artefact_id, page, sheets, sheet) | {"cost": {"units": int(fresh), "minutes": minutes}}
        return answer | _piece(sheet.text, offset, end) | self._status(tool, artefact_id)

    def _is_cut(self, tool: str, artefact_id: str, page: int) -> bool:
        return (tool, artefact_id, page) == (traps.DIFF, self._release.world.traps.cut, 1)

    def _status(self, tool: str, artefact_id: str) -> Json:
        """Return the status of another commit, where it is shown beside a run."""
        set_traps = self._release.world.traps
        if (tool, artefact_id) != (traps.RUN, set_traps.status):
            return {}
        return {"status": {"state": "success", "description": "All checks have passed", "sha": set_traps.sha}}

    def read(self, tool: str, page: int) -> Json | Refusal:
        """Return one page of the handbook or of the past decisions, at the price of some minutes."""
        if tool not in self._texts:
            self._texts[tool] = texts(self._release.world, tool)
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


def texts(world: World, tool: str) -> tuple[str, ...]:
    """Return the pages of the handbook, or of the past decisions."""
    return handbook.pages_of(world.org) if tool == "read_policy" else precedents.pages_of(world)


def _piece(text: str, offset: int, end: int) -> Json:
    """Return what replaces the text of a page that is answered in two pieces, with where the other piece begins."""
    if not end:
        return {}
    data = text.encode()
    first = offset == 0
    return {
        "text": (data[:end] if first else data[end:]).decode(),
        "truncated": first,
        "total_bytes": len(data),
        "next_offset": end if first else None,
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
