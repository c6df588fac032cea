"""`releaseops connect`: the entry that makes an agent's client find this server, printed or written."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from releaseops_mcp.cli.choosing import chosen_suites
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.doors.mcp.clients import CLIENTS, config_path, find_client
from releaseops_mcp.doors.mcp.connect import http_entry, launch, merge, read, stdio_entry, write


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(connect)


def connect(
    context: typer.Context,
    client: Annotated[str, typer.Argument(help=f"One of {', '.join(CLIENTS)}.")],
    into: Annotated[bool, typer.Option("--write", help="Write it into the client's own file, not print it.")] = False,
    http: Annotated[str, typer.Option(metavar="URL", help="A server that runs already, in place of stdio.")] = "",
    suite: Annotated[list[str] | None, typer.Option(help="Show this suite's tools only; may be repeated.")] = None,
) -> None:
    """Print the configuration that connects a client to this server; with --write, put it in place."""
    known = find_client(client)
    names = [entry.name for entry in chosen_suites(suite)] if suite else []
    if http:
        entry = http_entry(known, http)
    else:
        entry = stdio_entry(known, launch(), session_of(context).settings.database_url, names)
    path = config_path(known, project=Path.cwd(), home=Path.home(), platform=sys.platform, environment=os.environ)
    if not into:
        typer.echo(merge(known, None, entry, str(path)), nl=False)
        typer.echo(f"for {path}; --write puts it there and keeps what is in it", err=True)
        return
    write(path, merge(known, read(path), entry, str(path)))
    typer.echo(f"written to {path}: {json.dumps(entry)}")
    typer.echo(f"next: {known.reload}", err=True)
