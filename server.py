"""The HTTP server as hosts of containers start it: `python server.py`, or `uvicorn server:app`.

PORT (7860) and HOST (127.0.0.1) are read from the environment, and so are the settings that docs/http.md lists. A HOST
that other machines can reach needs RELEASEOPS_ALLOWED_HOSTS; on a Hugging Face Space, SPACE_HOST stands in for it.
"""

import os
import sys

from releaseops_mcp.doors.http.app import create_app
from releaseops_mcp.doors.http.serving import DEFAULT_PORT, serve
from releaseops_mcp.doors.mcp.serving import DEFAULT_HOST
from releaseops_mcp.errors import InvalidArgument, ReleaseOpsError

app = create_app()


def main() -> int:
    """Serve until the process is told to end; return 2 where a setting does not fit."""
    try:
        serve(os.environ.get("HOST") or DEFAULT_HOST, _port())
    except ReleaseOpsError as error:
        sys.stderr.write(f"{error.text}\n")
        return 2
    return 0


def _port() -> int:
    port = os.environ.get("PORT") or str(DEFAULT_PORT)
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise InvalidArgument(f"PORT: {port!r} is no port: use a number from 1 to 65535")
    return int(port)


if __name__ == "__main__":
    sys.exit(main())
