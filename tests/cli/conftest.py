"""Runs the command line in this process, on a log of the test's own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from releaseops_mcp.cli import main


@dataclass(frozen=True)
class Ran:
    """What one command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'log.sqlite3'}"


@pytest.fixture
def cli(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `releaseops` with these words, and what is typed into it."""
    monkeypatch.setenv("RELEASEOPS_DATABASE_URL", database_url)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*words: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        capsys.readouterr()
        code = main(words)
        shown = capsys.readouterr()
        return Ran(code, shown.out, shown.err)

    return run
