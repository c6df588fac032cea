"""`releaseops graph`: runs the graphs and draws them. LangGraph is loaded only when a command needs it."""

import asyncio
import json
import sys
from typing import Annotated, Any

import typer

from releaseops_mcp.cli.options import AsJson
from releaseops_mcp.cli.output import print_json
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.errors import InvalidArgument

GATES = ("off", "required", "auto")


def add_to(app: typer.Typer) -> None:
    """Add the verbs."""
    graph = typer.Typer(no_args_is_help=True, help="Let a model supervise a release through a LangGraph graph.")
    graph.command("run")(run)
    graph.command("draw")(draw)
    app.add_typer(graph, name="graph")


def run(
    context: typer.Context,
    scenario: Annotated[str, typer.Argument(help="A scenario's id or ticket; leave it out to resume.")] = "",
    model: Annotated[str, typer.Option(help="The model: scripted:NAME, openai:NAME or hf:PATH.")] = "",
    panel: Annotated[bool, typer.Option("--panel", help="A panel of three in place of one supervisor.")] = False,
    human_gate: Annotated[str, typer.Option(help="Ask a person before destructive calls: off, required, auto.")] = "",
    url: Annotated[str, typer.Option(help="The MCP endpoint of an arena elsewhere, in place of the log.")] = "",
    resume: Annotated[str, typer.Option(metavar="THREAD", help="Go on with a run that was killed or waits.")] = "",
    answer: Annotated[str, typer.Option(help="The answer that a run waits for, as JSON; see the docs.")] = "",
    checkpoints: Annotated[str, typer.Option(help="A SQLite file or Postgres URL, not RELEASEOPS_CHECKPOINTS.")] = "",
    most_calls: Annotated[int, typer.Option(min=1, help="Stop after so many tool calls.")] = 200,
    most_tokens: Annotated[int, typer.Option(min=0, help="Stop after so many tokens; 0 for any number.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Let a model supervise one release; every step is kept, so that the run can be resumed."""
    from graphs.command import Order, carry_out
    from graphs.state import Limits

    if bool(scenario) == bool(resume):
        raise InvalidArgument("name a scenario to begin a run, or --resume THREAD to go on with one")
    if human_gate not in ("", *GATES):
        raise InvalidArgument(f"--human-gate is one of {', '.join(GATES)}")
    order = Order(
        scenario=scenario,
        thread=resume,
        answer=_parsed(answer),
        given={"graph": "panel" if panel else "", "model": model, "human_gate": human_gate, "url": url},
        checkpoints=checkpoints,
        limits=Limits(calls=most_calls, tokens=most_tokens),
        person=sys.stdin.isatty() and not as_json,
    )
    came = asyncio.run(carry_out(order, session_of(context), quiet=as_json))
    if as_json:
        print_json(came)


def draw(
    panel: Annotated[bool, typer.Option("--panel", help="The panel in place of the supervisor.")] = False,
) -> None:
    """Print a graph as a Mermaid diagram."""
    from graphs.command import diagram

    typer.echo(diagram("panel" if panel else "supervisor"))


def _parsed(answer: str) -> Any:
    if not answer:
        return None
    try:
        return json.loads(answer)
    except ValueError:
        raise InvalidArgument('--answer is JSON, such as {"action": "approve"}') from None
