"""Every code block of the README and the docs is executed."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NOT_RUN = {"make demo", "make test", "make referees", "make bench"}
"""Targets that set up environments of their own or measure: checked by a dry run."""


def blocks(language: str) -> list[object]:
    return [
        pytest.param(match[2], id=f"{page.name}-{number}")
        for page in PAGES
        for number, match in enumerate(BLOCK.finditer(page.read_text()))
        if match[1] == language
    ]


def test_no_page_has_a_block_that_nothing_executes() -> None:
    languages = {match[1] for page in PAGES for match in BLOCK.finditer(page.read_text())}

    # py and yaml: the files of docs/extending.md, which tests/world/test_extending.py puts into place.
    assert languages <= {"sh", "python", "json", "py", "yaml"}


@pytest.mark.parametrize("text", blocks("python"))
def test_python_blocks_print_what_they_say(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(text, {}, "page", "page", 0)

    report: list[str] = []
    result = doctest.DocTestRunner().run(example, out=report.append)

    assert result.attempted > 0
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("text", blocks("sh"))
def test_shell_blocks_run(text: str, tmp_path: Path) -> None:
    environment = dict(
        os.environ,
        PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        RELEASEOPS_DATABASE_URL=f"sqlite:///{tmp_path / 'log.sqlite3'}",
        HOME=str(tmp_path),
    )
    for line in text.splitlines():
        command = line if line not in NOT_RUN else f"make --dry-run --directory {ROOT} {line.removeprefix('make ')}"
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
