"""`releaseops episodes list`: the log's episodes in order of their start."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.table import Table

from releaseops_mcp.agents.terminal.view import readable
from releaseops_mcp.cli.options import AsJson
from releaseops_mcp.cli.output import note, print_json, results
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.log.rows import EpisodeFilter, EpisodeRow
from releaseops_mcp.log.store import Store

LIST_COLUMNS = 180
"""Wide enough for every name in one line."""


def list_episodes(
    context: typer.Context,
    suite: Annotated[str, typer.Option(help="Only this suite.")] = "",
    agent: Annotated[str, typer.Option(help="Only this agent.")] = "",
    ended: Annotated[bool | None, typer.Option("--ended/--open", help="Only ended, or only open ones.")] = None,
    after: Annotated[int, typer.Option(min=0, help="Only those with a number above this one.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List logged episodes, oldest first."""
    store = session_of(context).store
    chosen = EpisodeFilter(suite=suite, agent=agent, ended=ended)
    found = store.episodes(chosen, after=after, limit=limit + 1)
    page = [_entry(store, row) for row in found[:limit]]
    following = found[limit - 1].number if len(found) > limit else None
    if as_json:
        print_json({"episodes": page, "next_after": following})
        return
    table = Table("no", box=None, header_style="dim")
    table.add_column("episode", no_wrap=True)
    table.add_column("scenario", overflow="fold")
    for heading in ("agent", "steps", "ended by", "reward"):
        table.add_column(heading, overflow="fold")
    for entry in page:
        table.add_row(
            *(readable(entry[key]) for key in ("number", "episode_id", "scenario", "agent", "steps")), *_end(entry)
        )
    results(plain_columns=LIST_COLUMNS).print(table)
    if following is not None:
        note(f"--after {following} shows more")
    if not page:
        note(f"no episodes in {session_of(context).log_name}: releaseops demo makes some")


def _entry(store: Store, row: EpisodeRow) -> Json:
    scores = store.scores(row.number)
    return {
        "number": row.number,
        "episode_id": row.id,
        "scenario": row.scenario,
        "suite": row.suite,
        "family": row.family,
        "agent": row.agent,
        "started": datetime.fromtimestamp(row.started_ms / 1000, UTC).isoformat(),
        "steps": row.steps,
        "ended": row.ended,
        "terminal_reason": row.terminal_reason,
        "reward": scores[-1].total if scores else None,
    }


def _end(entry: Json) -> tuple[str, str]:
    ended = (entry["terminal_reason"] or "left") if entry["ended"] else "open"
    return ended, "unscored" if entry["reward"] is None else f"{entry['reward']:.4f}"
