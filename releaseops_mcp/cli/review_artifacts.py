"""`releaseops review-artifacts`: the review pack of the classic canary, 19 files."""

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(review_artifacts)


def review_artifacts(
    output_dir: Annotated[Path, typer.Option(metavar="DIR", help="Where the files go.")] = Path("review-artifacts"),
    env_url: Annotated[
        str, typer.Option(metavar="URL", help="A server that runs already, in place of a temporary one.")
    ] = "",
    openenv: Annotated[
        str, typer.Option(metavar="PYTHON", help="A Python that has openenv, to let its validator judge the server.")
    ] = "",
) -> None:
    """Write transcripts, grades, benchmarks and samples of the classic canary; the same bytes every time.

    A server that asks for a token gets RELEASEOPS_GRADER_TOKEN, else RELEASEOPS_TOKEN.
    """
    from releaseops_mcp.artifacts.pack import build_pack, write_pack
    from releaseops_mcp.artifacts.server import temporary_server
    from releaseops_mcp.rollouts.choosing import first_set

    token = first_set(os.environ, "RELEASEOPS_GRADER_TOKEN", "RELEASEOPS_TOKEN") if env_url else ""
    with nullcontext(env_url) if env_url else temporary_server() as url:
        texts = build_pack(url, token=token or None, openenv=openenv or None)
    write_pack(output_dir, texts)
    typer.echo(f"{len(texts)} files written to {output_dir}")
