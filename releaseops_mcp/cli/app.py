"""The typer application: gathers the verbs, and turns errors into one line and an exit code."""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from releaseops_mcp import __version__
from releaseops_mcp.cli import (
    compare,
    connect,
    demo,
    episodes,
    evaluate,
    http,
    judge,
    org,
    play,
    report,
    review_artifacts,
    scenarios,
    serve,
)
from releaseops_mcp.cli.session import Session
from releaseops_mcp.errors import LogError, ReleaseOpsError, UserError
from releaseops_mcp.extras import missing

logger = logging.getLogger(__name__)

GROUP = "releaseops.commands"
"""Entry points of this group are callables that add commands to the application they are given."""
FAULT, USAGE, LOG, INTERRUPTED = 1, 2, 3, 130

BUILT_IN: tuple[Callable[[typer.Typer], None], ...] = (
    demo.add_to,
    serve.add_to,
    http.add_to,
    connect.add_to,
    scenarios.add_to,
    org.add_to,
    evaluate.add_to,
    report.add_to,
    compare.add_to,
    judge.add_to,
    play.add_to,
    episodes.add_to,
    review_artifacts.add_to,
)
"""The verbs, in the order in which the help lists them."""


@cache
def build() -> typer.Typer:
    """Return the application with every verb, built in or named by an entry point."""
    app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
    app.callback()(_root)
    for add_to in (*BUILT_IN, *(entry.load() for entry in entry_points(group=GROUP))):
        add_to(app)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; whatever goes wrong is one line on standard error."""
    try:
        result: Any = build()(args=list(arguments), prog_name="releaseops", standalone_mode=False)
    except ReleaseOpsError as error:
        return _failed(error.text, _exit_code(error))
    except ModuleNotFoundError as error:
        return _failed(missing("this command", error).text, USAGE)
    except TyperException as error:
        message = _one_line(error)  # empty where a bare command has shown its help
        return _failed(f"usage: {message}", USAGE) if message else USAGE
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_stdout()
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and error.filename is not None:
            return _failed(f"invalid_argument: {error.filename}: {error.strerror}", USAGE)
        logger.debug("a command failed", exc_info=True)
        return _failed(f"internal_error: {type(error).__name__}: {error}", FAULT)
    return result if isinstance(result, int) else 0


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


def _root(
    context: typer.Context,
    database: Annotated[
        str,
        typer.Option(metavar="URL", help="The log, in place of RELEASEOPS_DATABASE_URL: sqlite:///FILE, or Postgres."),
    ] = "",
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Train and test the AI that decides when other AIs should be trusted with a release."""
    context.obj = Session(database)
    context.call_on_close(context.obj.close)


def _exit_code(error: ReleaseOpsError) -> int:
    if isinstance(error, LogError):
        return LOG
    return USAGE if isinstance(error, UserError) else FAULT


def _one_line(error: TyperException) -> str:
    message: str = getattr(error, "format_message", lambda: str(error))()
    return " ".join(message.split())


def _failed(text: str, code: int) -> int:
    typer.echo(f"error: {' '.join(text.splitlines())}", err=True)
    return code


def _let_go_of_stdout() -> None:
    """Leave nothing for the interpreter to flush into a pipe that nobody reads."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
