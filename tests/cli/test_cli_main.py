"""The application: what it lists, its exit codes, and that whatever goes wrong is one line."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import typer

from releaseops_mcp import __version__
from releaseops_mcp.cli import app, main
from releaseops_mcp.cli.session import Session
from releaseops_mcp.errors import EnvironmentFault
from tests.cli.conftest import Cli

ROOT = Path(__file__).parents[2]


@pytest.fixture
def extended(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An application with commands of another package."""

    def add(parent: typer.Typer) -> None:
        for name, error in (("fail", EnvironmentFault("the world broke")), ("crash", ZeroDivisionError("two\nlines"))):

            def command(error: Exception = error) -> None:
                raise error

            parent.command(name)(lambda error=error: command(error))
        parent.command("stop")(lambda: (_ for _ in ()).throw(KeyboardInterrupt))
        parent.command("hang-up")(lambda: (_ for _ in ()).throw(BrokenPipeError))

    class Found(EntryPoint):
        def load(self) -> object:
            return add

    entry = Found("throw-away", "elsewhere", app.GROUP)
    monkeypatch.setattr(app, "entry_points", lambda group: [entry] if group == app.GROUP else [])
    app.build.cache_clear()
    yield
    app.build.cache_clear()


def test_the_help_lists_every_verb(cli: Cli) -> None:
    ran = cli("--help")

    assert ran.code == 0
    for verb in ("demo", "mcp", "connect", "scenarios", "eval", "play", "episodes"):
        assert f" {verb} " in ran.out


def test_the_version_is_shown(cli: Cli) -> None:
    assert cli("--version").out.strip() == __version__


def test_a_bare_command_shows_the_help_and_is_wrong(cli: Cli) -> None:
    ran = cli()

    assert (ran.code, ran.err) == (2, "")
    assert "Usage" in ran.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope"], "error: usage: No such command 'nope'."),
        (["episodes", "show"], "error: usage: Missing argument 'EPISODE'."),
        (["episodes", "list", "--limit", "many"], "error: usage: Invalid value for '--limit'"),
        (["episodes", "show", "ep_0"], "error: unknown_episode: no episode 'ep_0' in this log"),
        (["scenarios", "show", "nowhere/1"], "error: unknown_scenario: no suite 'nowhere'"),
    ],
)
def test_a_wrong_command_is_one_line_and_code_2(words: list[str], message: str, cli: Cli) -> None:
    ran = cli(*words)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.lower().startswith(message.lower())
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("sqlite://", "error: store_unavailable: a log in memory"),
        ("what:ever", "error: store_unavailable: "),
        ("sqlite:////proc/none/log.sqlite3", "error: store_unavailable: "),
    ],
)
def test_a_log_out_of_reach_is_one_line_and_code_3(url: str, message: str, cli: Cli) -> None:
    ran = cli("--database", url, "episodes", "list")

    assert ran.code == 3
    assert ran.err.startswith(message)
    assert ran.err.count("\n") == 1


def test_a_wrong_setting_names_the_variable(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELEASEOPS_IDLE_HOURS", "soon")

    ran = cli("episodes", "list")

    assert ran.code == 2
    assert ran.err.startswith("error: invalid_argument: RELEASEOPS_IDLE_HOURS: ")


@pytest.mark.usefixtures("extended")
@pytest.mark.parametrize(
    ("verb", "code", "message"),
    [
        ("fail", 1, "error: environment_fault: the world broke\n"),
        ("crash", 1, "error: internal_error: ZeroDivisionError: two lines\n"),
        ("stop", 130, ""),
    ],
)
def test_commands_of_other_packages_fail_like_our_own(verb: str, code: int, message: str, cli: Cli) -> None:
    assert verb in cli("--help").out

    ran = cli(verb)

    assert (ran.code, ran.err) == (code, message)


def test_the_database_option_goes_before_the_environment(cli: Cli, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"

    cli("--database", f"sqlite:///{other}", "eval", "--suite", "classic-canary", "--agent", "cautious", "--seeds", "1")

    assert other.exists()
    assert cli("--database", f"sqlite:///{other}", "episodes", "list", "--json").json["episodes"]
    assert not cli("episodes", "list", "--json").json["episodes"]


def test_a_log_is_named_for_people_without_its_password() -> None:
    session = Session("postgresql://me:secret@host/name")

    assert session.log_name == "postgresql://me:***@host/name"
    assert session.command == "releaseops --database postgresql://me:secret@host/name"
    session.close()


def test_the_server_is_reached_without_typer_rich_and_numpy() -> None:
    code = (
        "import sys, releaseops_mcp.cli as cli\n"
        "sys.argv = ['releaseops', 'mcp', '--help']\n"
        "try:\n    cli.main()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write(' '.join(m for m in ('typer', 'rich', 'numpy') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)

    assert "--http" in done.stdout
    assert done.stderr == ""


def test_no_verb_loads_the_mcp_sdk_before_it_needs_it() -> None:
    code = (
        "import sys\nfrom releaseops_mcp.cli import main\nmain(['--version'])\n"
        "sys.exit(' '.join(m for m in ('mcp', 'uvicorn', 'fastapi') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)

    assert done.stderr == "\n"


def test_mcp_behind_an_option_serves_the_log_that_it_names(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[object] = []

    def serve(arguments: list[str]) -> int:
        served.append((arguments, os.environ["RELEASEOPS_DATABASE_URL"]))
        return 0

    monkeypatch.setattr("releaseops_mcp.doors.mcp.__main__.main", serve)
    url = f"sqlite:///{tmp_path / 'other.sqlite3'}"

    assert cli("--database", url, "mcp", "--suite", "classic-gate", "--http").code == 0
    assert cli("mcp", "--help").code == 0

    assert [arguments for arguments, _ in served] == [["--suite", "classic-gate", "--http"], ["--help"]]  # type: ignore[misc]
    assert served[0][1] == url  # type: ignore[index]


def test_a_reader_that_hangs_up_is_no_error(tmp_path: Path) -> None:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), RELEASEOPS_DATABASE_URL=f"sqlite:///{tmp_path / 'l.sqlite3'}")
    command = f"{sys.executable} -m releaseops_mcp.cli scenarios list --limit 2000 --split train --json | head -c 10"
    done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=True)

    assert done.stderr == ""


def test_main_reads_the_command_line_where_it_is_given_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["releaseops", "--version"])

    assert main() == 0
    assert capsys.readouterr().out.strip() == __version__
