"""Makes a notebook of docs/training.md: prose becomes text cells, blocks become code cells.

python -m training.recipes.notebook             # write docs/training.ipynb
python -m training.recipes.notebook --check     # exit with 1 where it is stale
"""

import doctest
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = DOCS / "training.md"
NOTEBOOK = DOCS / "training.ipynb"
BLOCK = re.compile(r"^```(sh|python) walk\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
"""A block that is a step of the walk."""

Cell = dict[str, Any]


def notebook(page: str) -> Cell:
    """Return the notebook of a page, in nbformat 4.5; the same page gives the same notebook."""
    cells = [cell | {"id": f"cell-{number}"} for number, cell in enumerate(cells_of(page), 1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def cells_of(page: str) -> Iterator[Cell]:
    """Yield a page's cells in order."""
    place = 0
    for block in BLOCK.finditer(page):
        yield from _text(page[place : block.start()])
        yield _code(block[1], block[2])
        place = block.end()
    yield from _text(page[place:])


def dumps(page: str) -> str:
    """Return the notebook's file."""
    return json.dumps(notebook(page), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write or check the notebook; return the exit code."""
    made = dumps(PAGE.read_text(encoding="utf-8"))
    if not arguments:
        NOTEBOOK.write_text(made, encoding="utf-8")
        return 0
    if list(arguments) != ["--check"]:
        sys.stderr.write(f"unknown argument {arguments[0]}: give --check or nothing\n")
        return 2
    if not NOTEBOOK.is_file() or NOTEBOOK.read_text(encoding="utf-8") != made:
        sys.stderr.write(f"{NOTEBOOK} is stale: run python -m training.recipes.notebook\n")
        return 1
    return 0


def _text(prose: str) -> Iterator[Cell]:
    if prose.strip():
        yield {"cell_type": "markdown", "metadata": {}, "source": _lines(prose.strip("\n"))}


def _code(language: str, block: str) -> Cell:
    """Return a code cell; a Python block loses its prompts, and what it printed."""
    if language == "python":
        examples = doctest.DocTestParser().get_examples(block)
        source = "".join(example.source for example in examples)
    else:
        source = f"%%bash\nset -e\n{block}"
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(source.rstrip("\n")),
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
