"""Measures the scores of kinds, and writes or checks their page.

python -m releaseops_mcp.evaluation.kinds_page                           # print the page
python -m releaseops_mcp.evaluation.kinds_page --write                   # put it into docs/kinds.md
python -m releaseops_mcp.evaluation.kinds_page --check                   # exit with 1 where docs/kinds.md is another
python -m releaseops_mcp.evaluation.kinds_page --score --date 2026-11-30 # play every kind, keep the scores (minutes)
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from releaseops_mcp.evaluation.kinds_page import scores
from releaseops_mcp.evaluation.kinds_page.page import render
from releaseops_mcp.world.kinds.registry import kinds

PAGE = Path(__file__).parents[3] / "docs" / "kinds.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print, write or check the page, or measure; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m releaseops_mcp.evaluation.kinds_page")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="put the page into docs/kinds.md")
    what.add_argument("--check", action="store_true", help="fail where docs/kinds.md is another")
    what.add_argument("--score", action="store_true", help="play every kind and keep the scores")
    parser.add_argument("--date", default="", help="with --score: the day, which the page names")
    parser.add_argument("--kind", action="append", default=[], help="with --score: this kind alone (may be repeated)")
    parser.add_argument("--pairs", type=int, default=scores.PAIRS, help="with --score: pairs of twins a kind")
    parser.add_argument("--processes", type=int, default=1, help="with --score: processes that play")
    given = parser.parse_args(arguments)
    if given.score:
        if not given.date:
            parser.error("--score needs --date, the day that the page names")
        if unknown := sorted(set(given.kind) - kinds().keys()):
            parser.error(f"no kind {unknown[0]!r}: the kinds are {', '.join(kinds())}")
        found = scores.measure(given.date, given.kind or list(kinds()), given.pairs, given.processes)
        scores.write(scores.merged(scores.read(), found))
        return 0
    text = render(scores.read())
    if given.write:
        PAGE.write_text(text, encoding="utf-8")
    elif not given.check:
        sys.stdout.write(text)
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.stderr.write(f"{PAGE} is stale: run python -m releaseops_mcp.evaluation.kinds_page --write\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
