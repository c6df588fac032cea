"""The transcript of an episode in pages, as every door shows it."""

from typing import Any

from releaseops_mcp.arena.tickets import PREFIX
from releaseops_mcp.audit.rescore import fold, score_draft
from releaseops_mcp.audit.transcript import graded, page, seen_by_agent
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import is_open
from releaseops_mcp.log.chain import check
from releaseops_mcp.log.rows import EpisodeRow
from releaseops_mcp.log.store import Store


def transcript(store: Store, row: EpisodeRow, offset: int, *, grading: bool) -> Json:
    """Return the page of an episode's transcript that begins at entry number `offset`.

    Grading is added to an episode that is over, where `grading` says that the reader may see it.
    """
    row, links = store.chain(row.number)
    events = list(check(row.id, links, count=row.count, head=row.head))
    entries = seen_by_agent(events)
    if grading and row.ended:
        tally = fold(events, store.truth(row.world_hash))
        entries += graded(score_draft(tally.score(), row.terminal_reason, ended=True), tally.report())
    chosen, next_offset = page(entries, offset)
    named: Any = events[0].data["named"]
    return {
        "episode_id": row.id,
        "suite": row.suite,
        "scenario": named if is_open(row.suite) or named.startswith(PREFIX) else None,
        "done": row.ended,
        "total": len(entries),
        "offset": offset,
        "entries": chosen,
        "truncated": next_offset is not None,
        "next_offset": next_offset,
    }
