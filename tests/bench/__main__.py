"""Runs every measurement, prints the table and writes build/bench.json; exit code 1 where a target is missed."""

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench import (
    canary_steps,
    core,
    dataset_build,
    evaluation_run,
    http_calls,
    logged,
    mcp_calls,
    openenv_calls,
    training_steps,
)
from tests.bench.figures import Figure

FILE = Path("build/bench.json")
MODULES = (
    core,
    canary_steps,
    logged,
    mcp_calls,
    http_calls,
    openenv_calls,
    evaluation_run,
    dataset_build,
    training_steps,
)
"""In order: what loads torch comes last."""


def main() -> int:
    console = Console()
    figures: list[Figure] = []
    for module in MODULES:
        for figure in module.figures():
            console.print(f"{figure.name}: {_short(figure.value)} {figure.unit}", style="dim")
            figures.append(figure)
    table = Table("what", "measured", "target", "", "note", title="ReleaseOps Arena: speed")
    for figure in figures:
        bound = "at least" if figure.at_least else "at most"
        measured, target = f"{_short(figure.value)} {figure.unit}", f"{bound} {_short(figure.target)}"
        verdict = "MISSED" if not figure.ok else "ok" if figure.measured else "skipped"
        table.add_row(figure.name, measured, target, verdict, figure.note)
    console.print(table)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps([_row(figure) for figure in figures], indent=2) + "\n")
    return 0 if all(figure.ok for figure in figures) else 1


def _row(figure: Figure) -> dict[str, object]:
    row = {"name": figure.name, "value": figure.value if figure.measured else None, "unit": figure.unit}
    return row | {"target": figure.target, "ok": figure.ok, "note": figure.note}


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
