"""Writes the files that other programs find this server by, all of them from the root's `mcp.json`.

`python -m releaseops_mcp.doors.mcp.manifests` writes `.mcp.json`, `.vscode/mcp.json` and `server.json` (for the MCP
registry) in the working folder; with `--check` it writes nothing and fails where one is out of date.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from releaseops_mcp import __version__
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument, ReleaseOpsError

SOURCE = "mcp.json"
REGISTRY_NAME = "io.github.releaseops-arena/releaseops-arena"
REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
DESCRIPTION = "Release episodes that train and test an AI which decides when to trust other AIs."
PACKAGE = "releaseops-arena"


def manifests(source: Json) -> dict[str, Json]:
    """Return the derived files by name; raises InvalidArgument where `source` is not as we need it."""
    servers: Json = source.get("mcpServers", {})
    if "releaseops" not in servers:
        raise InvalidArgument(f"{SOURCE} must hold an mcpServers object with an entry releaseops")
    return {
        ".mcp.json": source,
        ".vscode/mcp.json": {"servers": servers},
        "server.json": _registry_entry(servers["releaseops"]),
    }


def out_of_date(root: Path) -> list[str]:
    """Return the names of the derived files under `root` that differ from what `mcp.json` leads to."""
    return [name for name, text in _texts(root).items() if _read(root / name) != text]


def write(root: Path) -> list[str]:
    """Write the derived files that are out of date; return their names."""
    changed = out_of_date(root)
    texts = _texts(root)
    for name in changed:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(texts[name], encoding="utf-8")
    return changed


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the files in the working folder; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m releaseops_mcp.doors.mcp.manifests")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is out of date")
    check = parser.parse_args(arguments).check
    try:
        names = out_of_date(Path()) if check else write(Path())
    except ReleaseOpsError as error:
        sys.stderr.write(f"{error.text}\n")
        return 2
    for name in names:
        sys.stderr.write(f"{name}: {'out of date: run make generate' if check else 'written'}\n")
    return 1 if check and names else 0


def _registry_entry(stdio: Json) -> Json:
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": REGISTRY_NAME,
        "title": "ReleaseOps Arena",
        "description": DESCRIPTION,
        "version": __version__,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": PACKAGE,
                "version": __version__,
                "runtimeHint": "uvx",
                "transport": {"type": stdio["type"]},
                "packageArguments": [{"type": "positional", "value": value} for value in stdio["args"]],
                "environmentVariables": [
                    {
                        "name": "RELEASEOPS_DATABASE_URL",
                        "description": "SQLAlchemy URL of the log; a SQLite file in the user's data folder if not set.",
                        "isRequired": False,
                        "isSecret": True,
                        "format": "string",
                    }
                ],
            }
        ],
    }


def _texts(root: Path) -> dict[str, str]:
    try:
        source: Any = json.loads((root / SOURCE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"cannot read {SOURCE}: {error}") from error
    return {name: json.dumps(body, indent=2) + "\n" for name, body in manifests(source).items()}


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
