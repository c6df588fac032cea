"""`python -m releaseops_mcp.doors.mcp`: the server without the command line around it."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from releaseops_mcp.doors.mcp.serving import DEFAULT_HOST, DEFAULT_PORT, serve_http, serve_stdio
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.settings import add_orgs, read_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve, and return the exit code: 2 where the arguments or the settings do not fit."""
    parser = argparse.ArgumentParser(prog="releaseops mcp", description="Serve the arena over MCP.")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP instead of stdio")
    parser.add_argument("--host", default=DEFAULT_HOST, help="address to bind (default: %(default)s)")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="port to bind (default: %(default)s)")
    parser.add_argument("--suite", action="append", default=[], help="show this suite only; may be repeated")
    parser.add_argument(
        "--org", action="append", default=[], type=Path, help="play at an organisation of your own, a YAML file"
    )
    chosen = parser.parse_args(arguments)
    try:
        add_orgs(chosen.org)
        if chosen.http:
            allowed = read_settings().allowed_hosts
            serve_http(suites=chosen.suite, host=chosen.host, port=chosen.port, allowed_hosts=allowed)
        else:
            serve_stdio(suites=chosen.suite)
    except ReleaseOpsError as error:
        sys.stderr.write(f"{error.text}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
