"""`releaseops connect`: the entry printed, or written beside what is there."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("client", "key"),
    [("claude-code", "mcpServers"), ("claude-desktop", "mcpServers"), ("cursor", "mcpServers"), ("vscode", "servers")],
)
def test_the_entry_is_printed_with_absolute_paths(client: str, key: str, cli: Cli, database_url: str) -> None:
    ran = cli("connect", client)

    entry = ran.json[key]["releaseops"]
    assert Path(entry["command"]).is_absolute()
    assert entry["env"]["RELEASEOPS_DATABASE_URL"] == database_url
    assert "--write puts it there" in ran.err


def test_the_entry_is_written_and_the_rest_is_kept(cli: Cli, project: Path) -> None:
    file = project / ".mcp.json"
    file.write_text('{"mcpServers": {"other": {"command": "x"}}, "more": 1}')

    ran = cli("connect", "claude-code", "--write", "--suite", "classic-gate")

    written = json.loads(file.read_text())
    assert written["mcpServers"]["other"] == {"command": "x"}
    assert written["more"] == 1
    assert written["mcpServers"]["releaseops"]["args"][-2:] == ["--suite", "classic-gate"]
    assert str(file) in ran.out
    assert ran.err.startswith("next: ")


def test_a_running_server_is_named_by_its_url(cli: Cli) -> None:
    ran = cli("connect", "cursor", "--http", "http://127.0.0.1:7861/mcp")

    assert ran.json["mcpServers"]["releaseops"] == {"url": "http://127.0.0.1:7861/mcp"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["emacs"], "no client 'emacs': the clients are claude-code"),
        (["claude-desktop", "--http", "http://x/mcp"], "only starts servers itself"),
        (["cursor", "--suite", "gone"], "no suite 'gone'"),
    ],
)
def test_what_cannot_be_connected_is_refused(words: list[str], message: str, cli: Cli) -> None:
    ran = cli("connect", *words)

    assert ran.code == 2
    assert message in ran.err
