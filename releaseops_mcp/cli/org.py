"""`releaseops org`: organisations to play at, built in or drawn from what is likely in a sector."""

from typing import Annotated

import typer

from releaseops_mcp.cli.output import note
from releaseops_mcp.world.orgs.generator import draw_org, sectors, yaml_of
from releaseops_mcp.world.orgs.loader import org_names, org_text

app = typer.Typer(help="Print organisations to play at, or draw new ones.", no_args_is_help=True)


def add_to(parent: typer.Typer) -> None:
    """Add the verbs."""
    parent.add_typer(app, name="org")


@app.command()
def show(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(org_names())}, or a drawn one's id.")],
) -> None:
    """Print an organisation as YAML, to copy and edit; --org FILE then plays at yours."""
    typer.echo(org_text(name), nl=False)


@app.command()
def generate(
    sector: Annotated[str, typer.Argument(help=f"One of {', '.join(sectors())}.")],
    seed: Annotated[int, typer.Argument(help="A whole number from 0 on.", min=0, max=999_999_999)],
) -> None:
    """Print a drawn organisation as YAML; scenarios may name it as it is, and --org FILE plays at your edit of it."""
    drawn = draw_org(sector, seed)
    typer.echo(yaml_of(drawn.org), nl=False)
    for number, reasons in enumerate(drawn.refused, 1):
        note(f"draw {number} was refused: {'; '.join(reasons)}")
    note(f"draw {drawn.attempts} is sound: gate/{drawn.org.id}/KIND/level-2/seed-0 plays at it")
