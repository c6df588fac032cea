"""`releaseops episodes rescore`: score logged episodes again, with the rewards that are installed."""

import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from releaseops_mcp.audit.rescore import Unscored, rescore, rescored
from releaseops_mcp.cli.options import AsJson, ExportFile
from releaseops_mcp.cli.output import counted_bar, print_json
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.log.reading import ExportLog


def rescore_log(
    context: typer.Context,
    file: ExportFile = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would change, and store nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Score the log again: a figure that differs is added, and supersedes the one before.

    An export keeps no scores: with --file the figures are printed.
    """
    if file is not None:
        _rescore_export(file, as_json=as_json)
        return
    at_ms = int(time.time() * 1000)
    with counted_bar("re-scoring") as move:
        came = rescore(session_of(context).store, at_ms=at_ms, dry_run=dry_run, progress=move)
    if as_json:
        print_json(asdict(came) | {"dry_run": dry_run})
        return
    typer.echo(f"same figure as stored: {came.unchanged:,}")
    typer.echo(f"{'would get' if dry_run else 'got'} a new score: {came.changed:,}")
    _say_unscored(came.unscored)


def _rescore_export(file: Path, *, as_json: bool) -> None:
    figures: list[dict[str, Any]] = []
    unscored: Counter[str] = Counter()
    log = ExportLog(file)
    total = log.total()
    with counted_bar("re-scoring") as move:
        for done, episode in enumerate(log.episodes(), 1):
            fresh = rescored(episode)
            if isinstance(fresh, Unscored):
                unscored[fresh.reason] += 1
            else:
                named = {"episode_id": episode.id, "scenario": episode.start["scenario"]}
                figures.append(named | {"reward": fresh.total, "reward_id": fresh.reward_id, "version": fresh.version})
            move(done, total)
    if as_json:
        print_json({"scores": figures, "unscored": dict(unscored)})
        return
    for figure in figures:
        typer.echo(f"{figure['episode_id']}  {figure['reward']:.4f}  {figure['scenario']}")
    _say_unscored(unscored)


def _say_unscored(unscored: dict[str, int]) -> None:
    for reason, count in unscored.items():
        typer.echo(f"unscored: {count:,} ({reason})")
