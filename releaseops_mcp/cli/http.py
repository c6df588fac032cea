"""`releaseops http`: the server for trainers, harnesses and graders, with MCP inside."""

import os
from typing import Annotated

import typer

from releaseops_mcp.cli.options import Orgs
from releaseops_mcp.cli.session import session_of


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("http")(serve_http)


def serve_http(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="Address to bind; others than this machine's need RELEASEOPS_ALLOWED_HOSTS.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Port to bind.")] = 7860,
    _org: Orgs = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve, all on one log.")] = 1,
) -> None:
    """Serve over HTTP: OpenEnv's routes, /episodes, the classics, and MCP at /mcp; /docs lists them."""
    from releaseops_mcp.doors.http.serving import serve

    os.environ["RELEASEOPS_DATABASE_URL"] = session_of(context).settings.database_url
    serve(host, port, workers=workers)
