"""The command line: `releaseops`, one module a verb.

`main` is all that is imported here: the MCP server is started by clients that wait for it, so `releaseops mcp` goes
straight to its door, without typer and rich.
"""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 done; 1 the arena's own fault; 2 a wrong command, argument or setting; 3 a log that is out of order or out of
    reach; 130 interrupted.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] == ["mcp"]:
        from releaseops_mcp.doors.mcp.__main__ import main as serve

        return serve(arguments[1:])
    from releaseops_mcp.cli.app import run

    return run(arguments)
