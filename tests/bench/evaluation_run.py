"""How long a whole evaluation takes: 1,000 episodes with log, statistics and report, and whether memory stays flat."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.watching import watch

PROGRAM = """
import sys
from releaseops_mcp.cli import main
sys.exit(main(sys.argv[1:]))
"""
FEW, MANY = "0..249", "0..499"
"""Seeds of four families each: 1,000 and 2,000 episodes of one agent."""


def figures() -> Iterator[Figure]:
    seconds, few = _evaluate(FEW)
    _, many = _evaluate(MANY)
    yield Figure("evaluation of 1,000 episodes with log, statistics and report", seconds, "s", 60)
    yield Figure("memory for 2,000 episodes beside that for 1,000", many / few, "ratio", 1.15)


def _evaluate(seeds: str) -> tuple[float, float]:
    """Return the seconds of one evaluation in a process of its own, and the most memory it held, in MB."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'log.sqlite3'}"
        words = ("eval", "--suite", "classic-gate", "--agent", "rule", "--seeds", seeds, "--json")
        program = [sys.executable, "-c", PROGRAM, *words, "--out", str(Path(folder) / "run")]
        return watch(program, os.environ | {"RELEASEOPS_DATABASE_URL": url})
