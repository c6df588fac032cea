"""Client configurations: the right file, absolute paths, what was there stays, and each entry starts a real server."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from releaseops_mcp.doors.mcp import connect
from releaseops_mcp.doors.mcp.clients import CLIENTS, config_path, find_client
from releaseops_mcp.errors import InvalidArgument
from tests.doors.mcp.doorkit import ROOT, SERVER, hold, start

pytestmark = pytest.mark.anyio

EVERY = sorted(CLIENTS)
DATABASE_URL = "sqlite:////data/log.sqlite3"


@pytest.mark.parametrize("name", EVERY)
async def test_each_clients_entry_starts_a_server(
    name: str, client_of: Callable[..., Client], environment: dict[str, str], database_url: str
) -> None:
    client = find_client(name)
    text = connect.merge(client, None, connect.stdio_entry(client, SERVER, database_url), "config")

    entry = json.loads(text)[client.key]["releaseops"]
    server = StdioServerParameters(command=entry["command"], args=entry["args"], env=environment | entry["env"])
    async with client_of(server) as connection:
        answer = await hold(connection, await start(connection))

    assert entry["env"] == {"RELEASEOPS_DATABASE_URL": database_url}
    assert entry.get("type", "stdio") == "stdio"
    assert Path(entry["command"]).is_absolute()
    assert not answer.is_error


@pytest.mark.parametrize("name", ["claude-code", "cursor", "vscode"])
async def test_each_clients_http_entry_reaches_a_server(
    name: str, client_of: Callable[..., Client], serving: Callable[..., Any]
) -> None:
    with serving() as (url, _):
        entry = connect.http_entry(find_client(name), url)
        async with client_of(entry["url"]) as connection:
            tools = (await connection.list_tools()).tools

    assert tools
    assert entry == ({"url": url} if name == "cursor" else {"type": "http", "url": url})


def test_claude_desktop_starts_its_servers_itself() -> None:
    with pytest.raises(InvalidArgument, match="Claude Desktop only starts servers itself"):
        connect.http_entry(find_client("claude-desktop"), "http://127.0.0.1:7861/mcp")


def test_an_unknown_client_is_told_which_there_are() -> None:
    with pytest.raises(InvalidArgument, match="no client 'emacs': the clients are claude-code, claude-desktop"):
        find_client("emacs")


@pytest.mark.parametrize(
    ("name", "platform", "environment", "expected"),
    [
        ("claude-code", "linux", {}, "project/.mcp.json"),
        ("cursor", "darwin", {}, "project/.cursor/mcp.json"),
        ("vscode", "win32", {}, "project/.vscode/mcp.json"),
        ("claude-desktop", "darwin", {}, "home/Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", {"APPDATA": "roam"}, "roam/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", {}, "home/AppData/Roaming/Claude/claude_desktop_config.json"),
        ("claude-desktop", "linux", {}, "home/.config/Claude/claude_desktop_config.json"),
        ("claude-desktop", "linux", {"XDG_CONFIG_HOME": "conf"}, "conf/Claude/claude_desktop_config.json"),
    ],
)
def test_each_client_keeps_its_file_in_its_place(
    name: str, platform: str, environment: dict[str, str], expected: str
) -> None:
    path = config_path(
        find_client(name), project=Path("project"), home=Path("home"), platform=platform, environment=environment
    )

    assert path == Path(expected)


def test_what_is_in_the_file_stays_there() -> None:
    client = find_client("claude-desktop")
    existing = {"theme": "dark", "mcpServers": {"other": {"command": "x"}, "releaseops": {"command": "old"}}, "é": [1]}

    text = connect.merge(client, json.dumps(existing), {"command": "new"}, "config")

    assert json.loads(text) == {
        **existing,
        "mcpServers": {"other": {"command": "x"}, "releaseops": {"command": "new"}},
    }
    assert "é" in text


@pytest.mark.parametrize("existing", [None, "", " \n"])
def test_an_empty_file_is_filled(existing: str | None) -> None:
    text = connect.merge(find_client("vscode"), existing, {"a": 1}, "config")

    assert json.loads(text) == {"servers": {"releaseops": {"a": 1}}}


@pytest.mark.parametrize(
    ("existing", "complaint"),
    [
        ("{// a comment\n}", "mcp.json is not plain JSON"),
        ('{"servers": {},}', "comments and trailing commas would be lost"),
        ("[]", "mcp.json holds no JSON object"),
        ('{"servers": []}', "mcp.json: 'servers' is not an object"),
    ],
)
def test_a_file_that_would_lose_something_is_refused(existing: str, complaint: str) -> None:
    with pytest.raises(InvalidArgument, match=complaint):
        connect.merge(find_client("vscode"), existing, {}, "mcp.json")


def test_a_password_stays_out_of_the_file() -> None:
    url = "postgresql://me:secret@db/arena"

    entries = {name: connect.stdio_entry(CLIENTS[name], ["x"], url) for name in ("claude-code", "cursor", "vscode")}

    assert [entry["env"]["RELEASEOPS_DATABASE_URL"] for entry in entries.values()] == [
        "${RELEASEOPS_DATABASE_URL}",
        "${env:RELEASEOPS_DATABASE_URL}",
        "${env:RELEASEOPS_DATABASE_URL}",
    ]
    with pytest.raises(InvalidArgument, match="holds a password"):
        connect.stdio_entry(CLIENTS["claude-desktop"], ["x"], url)
    plain = connect.stdio_entry(CLIENTS["claude-desktop"], ["x"], "postgresql://me@db/arena")
    assert plain["env"] == {"RELEASEOPS_DATABASE_URL": "postgresql://me@db/arena"}


def test_a_relative_log_is_named_absolutely() -> None:
    entry = connect.stdio_entry(CLIENTS["cursor"], ["x", "mcp"], "sqlite:///log.sqlite3", ["classic-gate"])

    assert entry["env"] == {"RELEASEOPS_DATABASE_URL": f"sqlite:///{Path.cwd() / 'log.sqlite3'}"}
    assert entry["args"] == ["mcp", "--suite", "classic-gate"]


def test_the_command_is_this_installations_own(tmp_path: Path) -> None:
    python = tmp_path / "python"

    assert connect.launch(str(python)) == [str(python), "-m", "releaseops_mcp.doors.mcp"]
    script = tmp_path / ("releaseops.exe" if os.name == "nt" else "releaseops")
    script.touch()
    assert connect.launch(str(python)) == [str(script), "mcp"]
    done = subprocess.run([*connect.launch(), "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "--suite" in done.stdout


def test_a_file_is_written_whole_with_its_folder_and_mode(tmp_path: Path) -> None:
    path = tmp_path / ".vscode" / "mcp.json"
    connect.write(path, "one")
    path.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(path)

    connect.write(link, "two")

    assert connect.read(path) == "two"
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["mcp.json"]


def test_a_file_that_cannot_be_written_or_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin").write_bytes(b"\xe9")

    with pytest.raises(InvalidArgument, match="cannot write"):
        connect.write(tmp_path / "file" / "mcp.json", "x")
    for name in ("folder", "latin"):
        with pytest.raises(InvalidArgument, match="cannot read"):
            connect.read(tmp_path / name)
    assert connect.read(tmp_path / "nothing") is None

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InvalidArgument, match="No space left on device"):
        connect.write(tmp_path / "fresh", "x")
    assert not list(tmp_path.glob("*.tmp"))


def test_connect_needs_no_sdk() -> None:
    code = "import releaseops_mcp.doors.mcp.connect, sys; assert 'mcp' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
