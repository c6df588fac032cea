"""Runs the MCP server: over stdio for one client, or over streamable HTTP for many.

Nothing but JSON-RPC ever reaches standard output; messages for people go to standard error.
"""

import logging
import sys
from collections.abc import Collection
from importlib.util import find_spec
from signal import SIG_DFL, SIGINT, signal
from threading import current_thread, main_thread
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.errors import InvalidArgument

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7861
PATH = "/mcp"
FAST_LOOP = find_spec("uvloop") is not None
"""Whether uvloop is installed, as it is wherever it runs."""


def serve_stdio(holder: ArenaHolder | None = None, suites: Collection[str] | None = None) -> None:
    """Serve one client over standard input and output until it hangs up; raises InvalidArgument for `suites`."""
    log_to_stderr()
    holder = holder or ArenaHolder()
    server = build_server(holder, suites, "stdio")
    _die_on_interrupt()
    try:
        anyio.run(_over_stdio, server, backend_options={"use_uvloop": FAST_LOOP})
    finally:
        holder.close()


def serve_http(
    holder: ArenaHolder | None = None,
    suites: Collection[str] | None = None,
    *,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    allowed_hosts: Collection[str] = (),
) -> None:
    """Serve many clients at http://HOST:PORT/mcp until the process is told to end.

    Raises InvalidArgument for `suites`, and for a host that others can reach without `allowed_hosts`.
    """
    log_to_stderr()
    holder = holder or ArenaHolder()
    app = http_app(holder, suites, host=host, allowed_hosts=allowed_hosts)
    import uvicorn  # a server over stdio starts faster without it

    config = uvicorn.Config(app, host=host, port=port, log_config=None, access_log=False, timeout_graceful_shutdown=2)
    sys.stderr.write(f"serving MCP at http://{f'[{host}]' if ':' in host else host}:{port}{PATH}; Ctrl-C ends it\n")
    try:
        uvicorn.Server(config).run()
    finally:
        holder.close()


def http_app(
    holder: ArenaHolder,
    suites: Collection[str] | None = None,
    *,
    host: str = DEFAULT_HOST,
    allowed_hosts: Collection[str] = (),
) -> Starlette:
    """Return the ASGI app that serves /mcp; raises what `serve_http` raises."""
    security = transport_security(host, allowed_hosts)
    server = build_server(holder, suites, "http")
    return server.streamable_http_app(
        streamable_http_path=PATH, json_response=True, host=host, transport_security=security
    )


def transport_security(host: str, allowed_hosts: Collection[str]) -> TransportSecuritySettings:
    """Return which Host and Origin headers are let in: this machine's, and those of `allowed_hosts`, on any port.

    A browser that was tricked by a rebound name sends another host and is refused. Raises InvalidArgument where `host`
    is open to others and no host is named.
    """
    if host not in LOCAL_HOSTS and not allowed_hosts:
        raise InvalidArgument(
            f"serving on {host} lets other machines in: name the hosts under which they reach this server in "
            "RELEASEOPS_ALLOWED_HOSTS, as in RELEASEOPS_ALLOWED_HOSTS=arena.example.org, or serve on 127.0.0.1"
        )
    names = [f"[{name}]" if ":" in name and not name.startswith("[") else name for name in LOCAL_HOSTS]
    names += allowed_hosts
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{form}" for form in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def log_to_stderr() -> None:
    """Send warnings and worse to standard error, unless logging is set up already."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


def _die_on_interrupt() -> None:
    """Let Ctrl-C end the process at once: a thread that waits for input cannot be woken, and the log loses nothing."""
    if current_thread() is main_thread():
        signal(SIGINT, SIG_DFL)


async def _over_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
