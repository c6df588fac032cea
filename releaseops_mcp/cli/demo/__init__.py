"""`releaseops demo`: real MCP clients play every scripted supervisor; the log is verified, re-scored and shown."""

import os
import time

import typer
from rich.rule import Rule
from rich.text import Text

from releaseops_mcp.audit.rescore import rescore
from releaseops_mcp.audit.verify import verify
from releaseops_mcp.cli.demo.jobs import closed_of, plan
from releaseops_mcp.cli.demo.playing import LANES, Sat, first_of, play_all
from releaseops_mcp.cli.demo.showing import closing, comparison, count, scorecards, worth_reading
from releaseops_mcp.cli.output import bar, counted_bar, results
from releaseops_mcp.cli.session import Session, session_of
from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.rows import EpisodeFilter
from releaseops_mcp.log.store import Store

WHOLE_LOG_EPISODES = 2_000
"""Of a log with more, only the demo's own episodes are verified: `episodes verify` does the rest."""


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(demo)


def demo(context: typer.Context) -> None:
    """Watch it work: every scripted supervisor plays over MCP; the log is verified, re-scored and shown."""
    session = session_of(context)
    console, store = results(), session.store
    began = time.perf_counter()
    sat = _play(session)
    console.print(
        f"{len(sat)} episodes, {sum(seat.visit.calls for seat in sat)} calls over MCP by {LANES} clients, each with a "
        f"server process of its own, in {time.perf_counter() - began:.1f} s"
    )
    ids = tuple(seat.visit.episode_id for seat in sat)
    _check(store, ids)
    played = count(store, sat)
    best, worst = worth_reading(played)
    console.print(*scorecards(played), sep="\n")
    console.print(Rule("one release, two supervisors", align="left"))
    console.print(comparison(store, best, worst))
    console.print(Rule("what to try next", align="left"))
    console.print(*closing(session.log_name, session.command, best), sep="\n", soft_wrap=True)


def _play(session: Session) -> list[Sat]:
    from anyio import run

    jobs = plan()
    closed = closed_of(jobs)
    names = dict(zip(closed, session.arena.tickets.mint(closed), strict=True))
    with bar("playing over MCP", len(jobs)) as move:
        try:
            return run(play_all, session.settings.database_url, dict(os.environ), jobs, names, move)
        except ExceptionGroup as group:
            raise first_of(group) from group


def _check(store: Store, ids: tuple[str, ...]) -> None:
    """Verify the log and re-score the demo's episodes; raises what `verify` raises, and ChainBroken."""
    own = EpisodeFilter(ids=ids)
    whole = store.started() <= WHOLE_LOG_EPISODES
    with counted_bar("verifying") as move:
        verified = verify(DatabaseLog(store, None if whole else own), move)
    with counted_bar("re-scoring") as move:
        again = rescore(store, own, at_ms=0, dry_run=True, progress=move)
    if again.unchanged != len(ids):
        raise ChainBroken(f"{len(ids) - again.unchanged} of {len(ids)} figures differ when they are computed again")
    results().print(
        Text.assemble(
            ("verified", "bold green"),
            f" {'the whole log' if whole else 'these episodes'}: {verified.episodes} episodes, {verified.events} "
            f"events, every chain whole, {verified.replayed} replayed\n",
            ("re-scored", "bold green"),
            f" {again.unchanged} episodes from the log: the same figure as live, each",
        )
    )
