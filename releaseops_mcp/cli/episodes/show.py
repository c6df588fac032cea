"""`releaseops episodes show`: one episode in full, grading included."""

from typing import Annotated

import typer

from releaseops_mcp.audit.account import account
from releaseops_mcp.cli.episodes.finding import find_episode
from releaseops_mcp.cli.options import AsJson
from releaseops_mcp.cli.output import print_json, results
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.cli.transcript import transcript


def show_episode(
    context: typer.Context,
    episode: Annotated[str, typer.Argument(help="An episode's id.")],
    as_json: AsJson = False,
) -> None:
    """Show what happened in an episode, step by step, and what it earned."""
    found = find_episode(session_of(context).store, episode)
    if as_json:
        print_json(account(found).model_dump(mode="json"))
    else:
        results().print(transcript(found))
