"""Waits for a server that was just started."""

import time
from collections.abc import Callable

from releaseops_mcp.client.errors import ClientError, ServerTimeout
from releaseops_mcp.client.flow import Request, run
from releaseops_mcp.client.http import Place, SyncHttp, ask
from releaseops_mcp.client.retries import Retries

START_S = 30.0
"""How long a server may take to start."""
_POLL_S = 0.05
_ONCE = Retries(attempts=1)


def wait_until_healthy(url: str, *, within_s: float = START_S, clock: Callable[[], float] = time.monotonic) -> None:
    """Return as soon as `url`/health answers; raises ServerTimeout."""
    deadline = clock() + within_s
    http = SyncHttp(Place(url, timeout_s=within_s))
    try:
        while True:
            try:
                run(ask(Request("GET", "/health"), _ONCE, safe=True), http.perform)
                return
            except ClientError as fault:
                if clock() >= deadline:
                    raise ServerTimeout(f"{url}: no healthy server within {within_s:g} s ({fault.message})") from fault
            time.sleep(_POLL_S)
    finally:
        http.close()
