"""Runs the gates, prints the table and writes build/gates.json; exit code 1 where one fails.

`python -m tests.gates [WORD]` takes the modules whose name begins with WORD, all without one.
"""

import importlib
import json
import pkgutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.table import Table

from tests import gates as folder
from tests.gates.gate import Gate

FILE = Path("build/gates.json")


def main(words: list[str]) -> int:
    console = Console()
    wanted = words[0] if words else ""
    modules = list(found(wanted))
    if not modules:
        console.print(f"no gates begin with {wanted!r}: there are {', '.join(name for name, _ in _all())}")
        return 2
    gates: list[Gate] = []
    for name, module in modules:
        began = time.perf_counter()
        for gate in module.gates():
            console.print(f"{gate.name}: {_short(gate.value)}", style="dim")
            gates.append(gate)
        console.print(f"{name}: {time.perf_counter() - began:.0f} s", style="dim")
    console.print(_table(gates))
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps([_row(gate) for gate in gates], indent=2) + "\n")
    return 0 if all(gate.ok for gate in gates) else 1


def found(wanted: str) -> Iterator[tuple[str, ModuleType]]:
    """Yield the modules of this folder that have gates and whose name begins with a word."""
    for name, module in _all():
        if name.startswith(wanted):
            yield name, module


def _all() -> Iterator[tuple[str, ModuleType]]:
    for file in pkgutil.iter_modules(folder.__path__):
        if file.name == "__main__":
            continue
        module = importlib.import_module(f"{folder.__name__}.{file.name}")
        if hasattr(module, "gates"):
            yield file.name, module


def _table(gates: list[Gate]) -> Table:
    table = Table("gate", "measured", "must be", "", "note", title="ReleaseOps Arena: gates")
    for gate in gates:
        table.add_row(gate.name, _short(gate.value), gate.must, "ok" if gate.ok else "FAILED", gate.note)
    return table


def _row(gate: Gate) -> dict[str, object]:
    value = round(gate.value, 4) if isinstance(gate.value, float) else gate.value
    return {"gate": gate.name, "value": value, "must": gate.must, "ok": gate.ok, "note": gate.note}


def _short(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
