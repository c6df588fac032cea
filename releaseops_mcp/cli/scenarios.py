"""`releaseops scenarios`: what can be played, by the operator's names."""

from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.rule import Rule
from rich.table import Table

from releaseops_mcp.agents.terminal.view import readable, show
from releaseops_mcp.arena.tickets import LISTED_SEEDS
from releaseops_mcp.cli.choosing import chosen_suites, scenarios_of_split
from releaseops_mcp.cli.options import AsJson, Suites
from releaseops_mcp.cli.output import note, print_json, results
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import suite_of

app = typer.Typer(help="List, show and ticket scenarios.", no_args_is_help=True)


def add_to(parent: typer.Typer) -> None:
    """Add the verbs."""
    parent.add_typer(app, name="scenarios")


@app.command("list")
def list_scenarios(
    suite: Suites = None,
    split: Annotated[
        str, typer.Option(help="A named list of scenarios; without it, seeds 0 to 9 of every family.")
    ] = "",
    offset: Annotated[int, typer.Option(min=0, help="How many to skip.")] = 0,
    limit: Annotated[int, typer.Option(min=1, help="How many to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the scenarios that can be played."""
    owners = chosen_suites(suite or ())
    if split:
        listed = [scenario_id for ids in scenarios_of_split(owners, split).values() for scenario_id in ids]
    else:
        listed = [scenario_id for owner in owners for scenario_id in owner.grid(LISTED_SEEDS)]
    total = len(listed)
    page = [suite_of(name).parse(name).model_dump() for name in listed[offset : offset + limit]]
    following = offset + limit if offset + limit < total else None
    if as_json:
        print_json({"scenarios": page, "total": total, "next_offset": following})
        return
    table = Table(box=None, header_style="dim")
    table.add_column("scenario", no_wrap=True)
    for heading in ("family", "level"):
        table.add_column(heading, overflow="fold")
    for scenario in page:
        table.add_row(scenario["id"], scenario["family"], scenario["level"])
    results().print(table)
    if following is not None:
        note(f"{len(page)} of {total}: --offset {following} shows more")


@app.command("show")
def show_scenario(scenario: Annotated[str, typer.Argument(help="A scenario's id.")], as_json: AsJson = False) -> None:
    """Show a scenario as a supervisor meets it: the briefing, the rules and the first observation."""
    suite = suite_of(scenario)
    parsed = suite.parse(scenario)
    episode = suite.begin(parsed)
    observation: Json = episode.observe()
    if as_json:
        tools = [tool.name for tool in suite.tools]
        about = {"version": suite.version, "world_hash": episode.world_hash, "tools": tools}
        print_json(parsed.model_dump() | about | {"briefing": suite.briefing, "observation": observation})
        return
    console = results()
    console.print(Rule(readable(parsed.id), align="left"))
    console.print(Markdown(suite.briefing))
    console.print(Rule("rules", style="dim", align="left"))
    console.print(Markdown(suite.policy))
    console.print(Rule("first observation", style="dim", align="left"))
    console.print(show(observation))


@app.command()
def ticket(
    context: typer.Context,
    scenarios: Annotated[list[str], typer.Argument(help="Ids to mint a ticket for, each.")],
    as_json: AsJson = False,
) -> None:
    """Mint opaque names for scenarios: an agent that plays a ticket does not read the answer off its name."""
    minted = session_of(context).arena.tickets.mint(scenarios)
    pairs = list(zip(minted, scenarios, strict=True))
    if as_json:
        print_json([{"ticket": name, "scenario": scenario} for name, scenario in pairs])
        return
    for name, scenario in pairs:
        typer.echo(f"{name}  {scenario}")
