"""Where output goes: results to standard output, notes and progress bars to standard error."""

import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

PLAIN_COLUMNS = 100
"""Width where there is no terminal to ask."""


def results(*, plain_columns: int = PLAIN_COLUMNS) -> Console:
    """Return a console on standard output: plain text, this wide, where that is no terminal."""
    return _console(plain_columns, stderr=False)


def note(text: str) -> None:
    """Say something beside the result, on standard error and in one line, so that paths and commands stay whole."""
    _notes().print(Text(text, style="dim"), soft_wrap=True)


def print_json(value: Any) -> None:
    """Print one JSON value to standard output, and nothing else."""
    typer.echo(json.dumps(value, indent=2))


@contextmanager
def bar(title: str, total: int | None) -> Generator[Callable[[str], None]]:
    """Show a progress bar on a terminal's standard error; the callable moves it by one and may say what is done."""
    with _progress() as progress:
        task = progress.add_task(title, total=total, said="")
        yield lambda said: progress.update(task, advance=1, said=said)


@contextmanager
def counted_bar(title: str) -> Generator[Callable[[int, int], None]]:
    """Show a progress bar like `bar`; the callable is told how many are done, and of how many."""
    with _progress() as progress:
        task = progress.add_task(title, total=None, said="")
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _progress() -> Progress:
    console = _notes()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[said]}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _notes() -> Console:
    return _console(PLAIN_COLUMNS, stderr=True)


def _console(plain_columns: int, *, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else plain_columns
    return Console(stderr=stderr, width=width, highlight=False)
