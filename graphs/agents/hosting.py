"""Our MCP server over streamable HTTP on a free port of the loopback interface, for as long as a block lasts."""

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp.serving import DEFAULT_HOST, PATH, http_app

STARTING_S = 0.01


@contextmanager
def hosted(arena: Arena, suite: str) -> Generator[str]:
    """Serve an arena's suite, and yield the URL once the server takes calls."""
    with socket.create_server((DEFAULT_HOST, 0)) as listener:
        app = http_app(ArenaHolder(lambda: arena), [suite])
        config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), name="releaseops-mcp")
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(STARTING_S)
            yield f"http://{DEFAULT_HOST}:{listener.getsockname()[1]}{PATH}"
        finally:
            server.should_exit = True
            thread.join()
