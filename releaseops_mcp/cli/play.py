"""`releaseops play`: a person in the supervisor's seat."""

import sys
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.text import Text

from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.agents.terminal import Person
from releaseops_mcp.audit.account import account
from releaseops_mcp.cli.episodes.finding import find_episode
from releaseops_mcp.cli.options import Orgs
from releaseops_mcp.cli.output import results
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.cli.transcript import ending
from releaseops_mcp.episodes.registry import suites

USUAL = "classic-gate"
OWN = "gate"
"""The suite that is played at an organisation of one's own."""
MOST_CALLS = 10_000
"""A person may take as many calls as it takes."""


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(play)


def play(
    context: typer.Context,
    scenario: Annotated[str, typer.Argument(help="A scenario's id or ticket; without it, a first one.")] = "",
    org: Orgs = None,
) -> None:
    """Supervise a release yourself, in this terminal; the episode is logged and scored like any agent's."""
    arena = session_of(context).arena
    usual = next(suites()[OWN].grid(range(1)), "") if org else suites()[USUAL].default_scenario
    named = scenario or usual
    _, suite = arena.tickets.resolve(named, operator=True)
    console = results()
    console.print(Markdown(suite.briefing))
    person = Person(console, sys.stdin)
    played = play_episode(arena, person.supervisor(suite.name), named, max_calls=MOST_CALLS, watch=person.watch)
    console.print()
    if played.fault is not None:
        console.print(Text(played.fault, style="red"))
        return
    console.print(ending(account(find_episode(arena.store, played.episode_id))))
    console.print(f"{session_of(context).command} episodes show {played.episode_id}", style="dim")
