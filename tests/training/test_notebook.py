"""The notebook of docs/training.md, and the walk of that page: its blocks are run in order, in one folder."""

import doctest
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from training.recipes import notebook

TIMEOUT_S = 600


def sources(kind: str, page: str) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook.cells_of(page) if cell["cell_type"] == kind]


def test_the_notebook_is_the_page_of_today() -> None:
    assert notebook.main(["--check"]) == 0


def test_the_notebook_is_valid() -> None:
    read = nbformat.read(notebook.NOTEBOOK, as_version=4)

    nbformat.validate(read)

    assert len({cell["id"] for cell in read.cells}) == len(read.cells)


def test_every_block_of_the_page_is_a_code_cell() -> None:
    page = notebook.PAGE.read_text()

    assert page.count("\n```") == 2 * len(sources("code", page))


def test_prose_and_blocks_become_cells() -> None:
    page = "# Title\n\nFirst.\n\n```sh walk\ntrue\nfalse\n```\n\n```python walk\n>>> one = 1\n>>> one\n1\n```\nLast.\n"

    assert sources("markdown", page) == ["# Title\n\nFirst.", "Last."]
    assert sources("code", page) == ["%%bash\nset -e\ntrue\nfalse", "one = 1\none"]


def test_a_stale_notebook_is_noticed_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "NOTEBOOK", tmp_path / "training.ipynb")

    assert notebook.main(["--check"]) == 1
    assert notebook.main([]) == 0
    assert notebook.main(["--check"]) == 0


def test_an_unknown_argument_is_refused() -> None:
    assert notebook.main(["--frobnicate"]) == 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_walk_leads_from_a_log_to_a_supervisor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # given an empty folder and an empty log
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("RELEASEOPS_DATABASE_URL", f"sqlite:///{tmp_path / 'log.sqlite3'}")
    monkeypatch.setenv("HOME", str(tmp_path))
    known: dict[str, object] = {}

    # when every block is run
    for block in notebook.BLOCK.finditer(notebook.PAGE.read_text()):
        if block[1] == "sh":
            words = ["bash", "-ec", block[2]]
            done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S)
            assert done.returncode == 0, f"{block[2]}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        else:
            example = doctest.DocTestParser().get_doctest(block[2], known, "page", "page", 0)
            report: list[str] = []
            result = doctest.DocTestRunner().run(example, out=report.append, clear_globs=False)
            known = example.globs
            assert result.attempted > 0
            assert result.failed == 0, "".join(report)

    # then there is an adapter, what it is worth, and charts of it
    assert (tmp_path / "runs/grpo/adapter_model.safetensors").is_file()
    assert (tmp_path / "runs/eval/results.json").is_file()
    assert any((tmp_path / "runs/plots").glob("*.svg"))
