"""A server on a free port of the loopback interface, with a log of its own, for as long as a block lasts."""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn

from releaseops_mcp.doors.http import serving
from releaseops_mcp.doors.http.app import create_app
from releaseops_mcp.doors.http.settings import HttpSettings
from releaseops_mcp.rollouts.health import wait_until_healthy

HOST = "127.0.0.1"


@contextmanager
def temporary_server(**options: Any) -> Generator[str]:
    """Serve, and yield the URL once the server is healthy; raises ServerTimeout after 30 s.

    `options` are settings of the server beside its log's; the environment is not read.
    """
    with TemporaryDirectory(prefix="releaseops-") as folder, socket.create_server((HOST, 0)) as listener:
        settings = HttpSettings(database_url=f"sqlite:///{Path(folder) / 'log.sqlite3'}", **options)
        server = uvicorn.Server(uvicorn.Config(create_app(settings), **serving.options(settings)))
        thread = threading.Thread(target=server.run, args=([listener],), name="releaseops-review")
        thread.start()
        try:
            url = f"http://{HOST}:{listener.getsockname()[1]}"
            wait_until_healthy(url)
            yield url
        finally:
            server.should_exit = True
            thread.join()
