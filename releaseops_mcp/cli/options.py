"""Options that several verbs share."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, to standard output.")]
Suites = Annotated[list[str] | None, typer.Option("--suite", help="Only this suite; may be repeated.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write to this file.", dir_okay=False)]
ExportFile = Annotated[
    Path | None,
    typer.Option("--file", help="An export in JSON lines, in place of the database.", exists=True, dir_okay=False),
]
