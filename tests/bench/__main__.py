"""Runs every measurement, prints the table and writes build/bench.json; exit code 1 where a target is missed."""

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench import core, http_calls, logged, mcp_calls
from tests.bench.figures import Figure

FILE = Path("build/bench.json")


def main() -> int:
    console = Console()
    figures: list[Figure] = []
    for module in (core, logged, mcp_calls, http_calls):
        for figure in module.figures():
            console.print(f"{figure.name}: {_short(figure.value)} {figure.unit}", style="dim")
            figures.append(figure)
    table = Table("what", "measured", "target", "", title="ReleaseOps Arena: speed")
    for figure in figures:
        bound = "at least" if figure.at_least else "at most"
        measured, target = f"{_short(figure.value)} {figure.unit}", f"{bound} {_short(figure.target)}"
        table.add_row(figure.name, measured, target, "ok" if figure.ok else "MISSED")
    console.print(table)
    rows = [
        {"name": each.name, "value": each.value, "unit": each.unit, "target": each.target, "ok": each.ok}
        for each in figures
    ]
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(rows, indent=2) + "\n")
    return 0 if all(figure.ok for figure in figures) else 1


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
