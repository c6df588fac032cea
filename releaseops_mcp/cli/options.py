"""Options that several verbs share."""

from pathlib import Path
from typing import Annotated

import typer

from releaseops_mcp.settings import add_orgs


def _use(paths: list[Path] | None) -> list[Path] | None:
    add_orgs(paths or ())
    return paths


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, to standard output.")]
Suites = Annotated[list[str] | None, typer.Option("--suite", help="Only this suite; may be repeated.")]
Orgs = Annotated[
    list[Path] | None,
    typer.Option("--org", callback=_use, help="An organisation of your own, a YAML file; may be repeated."),
]
"""Installed as the option is read: the verb itself has nothing to do."""
Out = Annotated[Path | None, typer.Option("--out", help="Write to this file.", dir_okay=False)]
ExportFile = Annotated[
    Path | None,
    typer.Option("--file", help="An export in JSON lines, in place of the database.", exists=True, dir_okay=False),
]
