"""`releaseops mcp`: the server for agents.

`main` never comes here when `mcp` is the first word; these lines list the verb in the help, and serve where an option
of the application stands before it.
"""

import os

import typer

from releaseops_mcp.cli.session import session_of


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(
        "mcp", context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
    )(serve)


def serve(context: typer.Context) -> int:
    """Serve agents over MCP: stdio, or --http [--host H] [--port N]; --suite S shows fewer tools; --org FILE."""
    from releaseops_mcp.doors.mcp.__main__ import main

    os.environ["RELEASEOPS_DATABASE_URL"] = session_of(context).settings.database_url
    return main(context.args)
