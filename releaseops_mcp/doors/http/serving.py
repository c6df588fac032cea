"""Runs the HTTP app: uvicorn on uvloop and httptools, in one process or several on one log."""

import logging
from typing import Any

import uvicorn

from releaseops_mcp.doors.http.settings import HttpSettings, read_http_settings
from releaseops_mcp.doors.mcp.serving import DEFAULT_HOST, log_to_stderr, transport_security

DEFAULT_PORT = 7860
FACTORY = "releaseops_mcp.doors.http.app:create_app"
KEEP_ALIVE_SECONDS = 30
WS_PING_SECONDS = 60.0
WS_DEAD_AFTER_SECONDS = 600.0
"""A trainer that generates for minutes does not answer pings meanwhile; its socket must live."""

logger = logging.getLogger(__name__)


def serve(host: str = DEFAULT_HOST, port: int = DEFAULT_PORT, *, workers: int = 1) -> None:
    """Serve at http://HOST:PORT until the process is told to end, as the environment's settings say.

    Raises InvalidArgument for a setting, and for a host that others can reach where no host is allowed.
    """
    log_to_stderr()
    settings = read_http_settings()
    transport_security(host, settings.reachable_as)
    logger.warning("serving at http://%s:%d", f"[{host}]" if ":" in host else host, port)
    uvicorn.run(FACTORY, factory=True, host=host, port=port, workers=workers, **options(settings))


def options(settings: HttpSettings) -> dict[str, Any]:
    """Return how uvicorn is to run: fast parsers, limits on what a client may send or hold open, no access log."""
    return {
        "loop": "uvloop",
        "http": "releaseops_mcp.doors.http.protocol:HttpProtocol",
        "ws": "websockets-sansio",
        "ws_max_size": settings.max_body_bytes,
        "ws_per_message_deflate": False,
        "ws_ping_interval": WS_PING_SECONDS,
        "ws_ping_timeout": WS_DEAD_AFTER_SECONDS,
        "timeout_keep_alive": KEEP_ALIVE_SECONDS,
        "timeout_graceful_shutdown": 2,
        "log_config": None,
        "access_log": False,
        "server_header": False,
    }
