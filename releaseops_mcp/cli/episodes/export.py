"""`releaseops episodes export`: JSON lines with the chain, or ATIF trajectories."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from releaseops_mcp import canonical
from releaseops_mcp.audit.rescore import latest_score
from releaseops_mcp.cli.episodes.finding import chosen_episodes
from releaseops_mcp.cli.options import Out
from releaseops_mcp.cli.output import counted_bar, note
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.log.atif import to_atif
from releaseops_mcp.log.export import Progress, export_lines, write_export
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.rows import EpisodeFilter, ScoreDraft, ScoreRow
from releaseops_mcp.log.store import Store


class Format(StrEnum):
    """How an export is written."""

    JSONL = "jsonl"
    ATIF = "atif"


def export(
    context: typer.Context,
    episodes: Annotated[list[str] | None, typer.Argument(help="Ids; without any, the whole log.")] = None,
    form: Annotated[
        Format, typer.Option("--format", help="jsonl: every event with its chain; atif: a trajectory a line.")
    ] = Format.JSONL,
    with_truth: Annotated[
        bool, typer.Option("--with-truth", help="Add what a scorer needs; never for an agent's eyes.")
    ] = False,
    out: Out = None,
) -> None:
    """Export episodes, to standard output or a file."""
    store = session_of(context).store
    chosen = chosen_episodes(store, episodes or [])
    if form is Format.ATIF and with_truth:
        raise InvalidArgument("an ATIF trajectory holds no truth: use --format jsonl with --with-truth")
    if out is None:
        for line in (
            _atif_lines(store, chosen) if form is Format.ATIF else export_lines(store, chosen, with_truth=with_truth)
        ):
            typer.echo(line)
        return
    with counted_bar("exporting") as move:
        if form is Format.ATIF:
            _write(out, _atif_lines(store, chosen, move))
        else:
            write_export(store, out, chosen, with_truth=with_truth, progress=move)
    note(f"written to {out}")


def _atif_lines(
    store: Store, chosen: EpisodeFilter | None, progress: Progress = lambda done, total: None
) -> Iterator[str]:
    log = DatabaseLog(store, chosen)
    total = log.total()
    for done, episode in enumerate(log.episodes(), 1):
        yield canonical.dumps(to_atif(episode, _draft(latest_score(store, episode))))
        progress(done, total)


def _draft(score: ScoreRow | None) -> ScoreDraft | None:
    if score is None:
        return None
    return ScoreDraft(score.reward_id, score.version, score.code_hash, score.total, score.body)


def _write(path: Path, lines: Iterator[str]) -> None:
    """Write lines to a file that gets its name when it is complete."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    with unfinished.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    unfinished.replace(path)
