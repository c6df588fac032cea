"""`releaseops episodes verify`: is the log whole, unaltered, and scored as its events say?"""

from dataclasses import asdict

import typer

from releaseops_mcp.audit.verify import verify
from releaseops_mcp.cli.options import AsJson, ExportFile
from releaseops_mcp.cli.output import counted_bar, print_json
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.reading import ExportLog


def verify_log(context: typer.Context, file: ExportFile = None, as_json: AsJson = False) -> None:
    """Check the whole log, or an export: chains, rows, replay and scores. The first bad place ends it with code 3."""
    log = DatabaseLog(session_of(context).store) if file is None else ExportLog(file)
    with counted_bar("verifying") as move:
        verified = verify(log, move)
    if as_json:
        print_json(asdict(verified))
        return
    typer.echo(f"in order: {verified.episodes:,} episodes, {verified.events:,} events, every chain whole")
    typer.echo(f"replayed: {verified.replayed:,}")
    for reason, count in verified.not_replayable.items():
        typer.echo(f"not replayed: {count:,} ({reason})")
    typer.echo(f"re-scored with the same figure: {verified.rescored:,}")
    for reason, count in verified.not_rescored.items():
        typer.echo(f"not re-scored: {count:,} ({reason})")
