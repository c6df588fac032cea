"""Writes this server into a client's configuration: absolute paths, and whatever else is in the file stays there.

Pure functions but for `write`; the command line wires them (`releaseops connect`).
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from releaseops_mcp.doors.mcp.clients import Client
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument

SERVER = "releaseops"
"""Name of the entry."""
DATABASE = "RELEASEOPS_DATABASE_URL"
_SQLITE = "sqlite:///"


def launch(python: str = sys.executable) -> list[str]:
    """Return the absolute command that starts the server over stdio from this very installation."""
    script = Path(python).with_name("releaseops.exe" if os.name == "nt" else "releaseops")
    return [str(script), "mcp"] if script.exists() else [str(Path(python).absolute()), "-m", "releaseops_mcp.doors.mcp"]


def stdio_entry(client: Client, command: Sequence[str], database_url: str, suites: Sequence[str] = ()) -> Json:
    """Return the entry of a server that the client starts itself, on the log of `database_url`.

    A URL with a password is not written down: the entry refers to the variable, which raises InvalidArgument for a
    client that cannot.
    """
    arguments = [*command[1:], *(part for suite in suites for part in ("--suite", suite))]
    kind = {"type": "stdio"} if client.typed else {}
    environment = {DATABASE: _database(client, database_url)}
    return {**kind, "command": command[0], "args": arguments, "env": environment}


def http_entry(client: Client, url: str) -> Json:
    """Return the entry of a server that runs already; raises InvalidArgument for a client that only starts its own."""
    if not client.speaks_http:
        raise InvalidArgument(f"{client.title} only starts servers itself: leave the URL out")
    return {"type": "http", "url": url} if client.typed else {"url": url}


def merge(client: Client, existing: str | None, entry: Json, where: str) -> str:
    """Return the text of a configuration with our entry in it, all else as it was.

    `existing` is the file's text, None where there is none, and `where` is its name for messages. Raises
    InvalidArgument where it is not plain JSON, such as JSON with comments, which would be lost.
    """
    config = _parse(existing, where)
    servers = config.get(client.key, {})
    if not isinstance(servers, dict):
        raise InvalidArgument(f"{where}: {client.key!r} is not an object: mend the file, or move it away")
    config[client.key] = {**cast("Json", servers), SERVER: entry}
    return json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def write(path: Path, text: str) -> None:
    """Put a configuration in its place whole, or not at all; raises InvalidArgument where that is not allowed."""
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        handle, draft = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(draft).chmod(mode)
            Path(draft).replace(target)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InvalidArgument(f"cannot write {path}: {error.strerror}") from error


def read(path: Path) -> str | None:
    """Return a configuration's text, None where there is no file; raises InvalidArgument."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(f"cannot read {path}: {error}") from error


def _parse(text: str | None, where: str) -> Json:
    if text is None or not text.strip():
        return {}
    try:
        config: Any = json.loads(text)
    except ValueError as error:
        raise InvalidArgument(
            f"{where} is not plain JSON ({error}): comments and trailing commas would be lost, so add the entry by "
            "hand; without --write it is printed"
        ) from None
    if not isinstance(config, dict):
        raise InvalidArgument(f"{where} holds no JSON object: mend the file, or move it away")
    return cast("Json", config)


def _database(client: Client, url: str) -> str:
    if url.startswith(_SQLITE):
        return _SQLITE + str(Path(url.removeprefix(_SQLITE)).expanduser().absolute())
    if not urlsplit(url).password:
        return url
    if not client.variable:
        raise InvalidArgument(
            f"{DATABASE} holds a password, which does not belong in the file of {client.title}: leave it out of the "
            "URL and keep it in the password file of the database's client"
        )
    return client.variable.format(name=DATABASE)
