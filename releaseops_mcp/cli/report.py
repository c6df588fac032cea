"""`releaseops report`: one page on one or several runs, or on exported episodes of any agent."""

from pathlib import Path
from typing import Annotated

import typer

from releaseops_mcp.cli.output import bar, note
from releaseops_mcp.evaluation.folder import REPORT, write_whole
from releaseops_mcp.evaluation.report import page, source_of


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("report")(report)


def report(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or exports in JSON lines (made --with-truth).")],
    out: Annotated[Path, typer.Option(help="Write the page to this file.", dir_okay=False)] = Path(REPORT),
) -> None:
    """Write one HTML page, with plots and the episodes worth reading, that opens offline."""
    with bar("reading", None):
        sources = [source_of(run) for run in runs]
    with bar("writing", None):
        write_whole(out, page(sources))
    note(f"written to {out}")
