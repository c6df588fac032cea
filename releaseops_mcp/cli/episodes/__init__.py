"""`releaseops episodes`: what the log holds, one module a verb."""

import typer

from releaseops_mcp.cli.episodes.export import export
from releaseops_mcp.cli.episodes.listing import list_episodes
from releaseops_mcp.cli.episodes.rescore import rescore_log
from releaseops_mcp.cli.episodes.show import show_episode
from releaseops_mcp.cli.episodes.verify import verify_log

app = typer.Typer(help="List, show, export, verify and re-score what was logged.", no_args_is_help=True)
app.command("list")(list_episodes)
app.command("show")(show_episode)
app.command("export")(export)
app.command("verify")(verify_log)
app.command("rescore")(rescore_log)


def add_to(parent: typer.Typer) -> None:
    """Add the verbs."""
    parent.add_typer(app, name="episodes")
