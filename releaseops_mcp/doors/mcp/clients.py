"""The MCP clients that we know: where each keeps its configuration, and how it spells a server."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from releaseops_mcp.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Client:
    """One client's habits."""

    name: str
    title: str
    key: str
    """The object of the configuration that holds the servers."""
    project_file: str = ""
    """Where the configuration lies in a project; empty where it belongs to the user alone."""
    typed: bool = True
    """Whether an entry says its `type`."""
    speaks_http: bool = True
    variable: str = "${{{name}}}"
    """How an entry refers to a variable of the environment; empty where it cannot."""
    reload: str = ""
    """What makes the client read the file again."""


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client(
            "claude-code",
            "Claude Code",
            "mcpServers",
            ".mcp.json",
            reload="start `claude` in this folder and allow the server; /mcp shows it",
        ),
        Client(
            "claude-desktop",
            "Claude Desktop",
            "mcpServers",
            typed=False,
            speaks_http=False,
            variable="",
            reload="quit Claude Desktop and start it again",
        ),
        Client(
            "cursor",
            "Cursor",
            "mcpServers",
            ".cursor/mcp.json",
            typed=False,
            variable="${{env:{name}}}",
            reload="switch the server on under Settings, MCP",
        ),
        Client(
            "vscode",
            "VS Code",
            "servers",
            ".vscode/mcp.json",
            variable="${{env:{name}}}",
            reload="run `MCP: List Servers` and start it",
        ),
    )
}
"""By the name that `releaseops connect` takes."""


def find_client(name: str) -> Client:
    """Return a client; raises InvalidArgument naming the ones there are."""
    if name not in CLIENTS:
        raise InvalidArgument(f"no client {name[:80]!r}: the clients are {', '.join(CLIENTS)}")
    return CLIENTS[name]


def config_path(client: Client, *, project: Path, home: Path, platform: str, environment: Mapping[str, str]) -> Path:
    """Return the file that a client reads; `platform` is `sys.platform`."""
    if client.project_file:
        return project / PurePath(client.project_file)
    folders = {
        "darwin": home / "Library" / "Application Support",
        "win32": Path(environment.get("APPDATA") or home / "AppData" / "Roaming"),
    }
    fallback = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return folders.get(platform, fallback) / "Claude" / "claude_desktop_config.json"
