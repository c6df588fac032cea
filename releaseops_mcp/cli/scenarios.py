"""`releaseops scenarios`: what can be played, by the operator's names."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.rule import Rule
from rich.table import Table

from releaseops_mcp.agents.terminal.view import readable, show
from releaseops_mcp.arena.tickets import LISTED_SEEDS
from releaseops_mcp.cli.choosing import chosen_suites, scenarios_of_split
from releaseops_mcp.cli.gate_world import document, view
from releaseops_mcp.cli.options import AsJson, Orgs, Suites
from releaseops_mcp.cli.output import note, print_json, results
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.episodes.base import Episode, Json, Scenario
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.settings import install_orgs
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.materialize import materialize
from releaseops_mcp.world.scenario import parse

app = typer.Typer(help="List, show and ticket scenarios; write a release's repositories to disk.", no_args_is_help=True)

GATE = "gate"
"""The suite whose scenarios are releases with repositories."""


def add_to(parent: typer.Typer) -> None:
    """Add the verbs."""
    parent.add_typer(app, name="scenarios")


@app.callback()
def use_own_organisations(context: typer.Context) -> None:
    """Install what RELEASEOPS_ORGS names: these verbs open no arena, which would do it."""
    install_orgs(session_of(context).settings)


@app.command("list")
def list_scenarios(
    suite: Suites = None,
    split: Annotated[
        str, typer.Option(help="A named list of scenarios; without it, seeds 0 to 9 of every family.")
    ] = "",
    offset: Annotated[int, typer.Option(min=0, help="How many to skip.")] = 0,
    limit: Annotated[int, typer.Option(min=1, help="How many to show.")] = 20,
    _org: Orgs = None,
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
def show_scenario(
    scenario: Annotated[str, typer.Argument(help="A scenario's id.")],
    reveal: Annotated[bool, typer.Option("--reveal", help="Show also what is hidden: the truth.")] = False,
    pages: Annotated[bool, typer.Option("--pages", help="In gate, show also every page that can be read.")] = False,
    _org: Orgs = None,
    as_json: AsJson = False,
) -> None:
    """Show a scenario: the briefing, the rules, the first observation, and in gate what can be read."""
    suite = suite_of(scenario)
    parsed = suite.parse(scenario)
    episode = suite.begin(parsed)
    observation: Json = episode.observe()
    if as_json:
        tools = [tool.name for tool in suite.tools]
        about = {"version": suite.version, "world_hash": episode.world_hash, "tools": tools}
        shown = {"briefing": suite.briefing, "observation": observation}
        print_json(parsed.model_dump() | about | shown | _hidden(parsed, episode, pages=pages, reveal=reveal))
        return
    console = results()
    console.print(Rule(readable(parsed.id), align="left"))
    console.print(Markdown(suite.briefing))
    console.print(Rule("rules", style="dim", align="left"))
    console.print(Markdown(suite.policy))
    console.print(Rule("first observation", style="dim", align="left"))
    console.print(show(observation))
    if parsed.suite == GATE:
        console.print(Rule("what can be read", style="dim", align="left"))
        console.print(view(generate(parse(parsed.id)), pages=pages, reveal=reveal))
    elif reveal:
        console.print(Rule("truth", style="dim", align="left"))
        console.print(show(episode.truth()))


def _hidden(scenario: Scenario, episode: Episode, *, pages: bool, reveal: bool) -> Json:
    if scenario.suite == GATE:
        return document(generate(parse(scenario.id)), pages=pages, reveal=reveal)
    return {"truth": episode.truth()} if reveal else {}


@app.command("materialize")
def materialize_scenario(
    scenario: Annotated[str, typer.Argument(help="A scenario's id, of gate.")],
    folder: Annotated[Path, typer.Argument(help="A new folder.", file_okay=False)],
    _org: Orgs = None,
) -> None:
    """Write a release's repositories at base and head, and every page that can be read, to disk."""
    if suite_of(scenario).name != GATE:
        raise InvalidArgument(f"{scenario} has no repositories: name a scenario of {GATE}")
    world = generate(parse(scenario))
    try:
        written = materialize(world, folder)
    except FileExistsError as error:
        raise InvalidArgument(str(error)) from None
    trees = sorted({str(path.parent) for path in written if path.name == "CODEOWNERS"})
    for tree in trees:
        typer.echo(tree)
    note(f"{len(written)} files in {folder}; in any of these {len(trees)} trees: pytest -q")


@app.command()
def ticket(
    context: typer.Context,
    scenarios: Annotated[list[str], typer.Argument(help="Ids to mint a ticket for, each.")],
    _org: Orgs = None,
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
