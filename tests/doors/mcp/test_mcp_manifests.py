"""The files that other programs find this server by: all derived from mcp.json, and each starts a real server."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from releaseops_mcp import __version__
from releaseops_mcp.doors.mcp import manifests
from releaseops_mcp.doors.mcp.serving import DEFAULT_HOST, DEFAULT_PORT, PATH
from tests.doors.mcp.doorkit import ROOT, SERVER, start

pytestmark = pytest.mark.anyio


def read(name: str) -> dict[str, Any]:
    return json.loads((ROOT / name).read_text())


def test_the_derived_files_are_up_to_date() -> None:
    assert manifests.out_of_date(ROOT) == []


def test_the_three_configurations_name_the_same_servers() -> None:
    servers = read("mcp.json")["mcpServers"]

    assert read(".mcp.json") == {"mcpServers": servers}
    assert read(".vscode/mcp.json") == {"servers": servers}
    assert servers == {
        "releaseops": {"type": "stdio", "command": "releaseops", "args": ["mcp"]},
        "releaseops-http": {"type": "http", "url": f"http://{DEFAULT_HOST}:{DEFAULT_PORT}{PATH}"},
    }


@pytest.mark.parametrize(("name", "key"), [("mcp.json", "mcpServers"), (".vscode/mcp.json", "servers")])
async def test_each_entry_starts_or_reaches_a_server(
    name: str,
    key: str,
    client_of: Callable[..., Client],
    serving: Callable[..., Any],
    environment: dict[str, str],
) -> None:
    servers = read(name)[key]
    script = shutil.which(servers["releaseops"]["command"])
    command = [script, *servers["releaseops"]["args"]] if script else SERVER
    async with client_of(StdioServerParameters(command=command[0], args=command[1:], env=environment)) as client:
        assert await start(client)
    with serving() as (url, _):
        assert re.sub(r":\d+/", ":7861/", url) == servers["releaseops-http"]["url"]
        async with client_of(url) as client:
            assert await start(client)


def test_the_registrys_entry_has_the_registrys_shape() -> None:
    entry = read("server.json")

    assert entry["$schema"].endswith("/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 1 <= len(entry["description"]) <= 100
    assert entry["version"] == __version__
    (package,) = entry["packages"]
    assert (package["registryType"], package["identifier"]) == ("pypi", "releaseops-arena")
    assert package["version"] == __version__
    assert package["transport"] == {"type": "stdio"}
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp"]
    assert not re.search(r"[\^~<>*]|latest", package["version"])


def test_files_are_written_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "mcp.json", tmp_path)
    monkeypatch.chdir(tmp_path)

    assert manifests.main(["--check"]) == 1
    assert ".vscode/mcp.json: out of date: run make generate" in capsys.readouterr().err
    assert manifests.main([]) == 0
    assert "server.json: written" in capsys.readouterr().err
    assert manifests.main(["--check"]) == 0
    assert (tmp_path / "server.json").read_text() == (ROOT / "server.json").read_text()


@pytest.mark.parametrize("text", ["no json", "{}"])
def test_a_source_that_does_not_fit_is_told(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mcp.json").write_text(text)
    monkeypatch.chdir(tmp_path)

    assert manifests.main([]) == 2
    assert "mcp.json" in capsys.readouterr().err
