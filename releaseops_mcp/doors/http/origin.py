"""Who calls over HTTP, as the log notes it."""

from functools import lru_cache
from typing import Literal

from starlette.datastructures import Headers

from releaseops_mcp.events import Origin

Transport = Literal["http", "ws"]


def origin_of(headers: Headers, transport: Transport = "http") -> Origin:
    """Return the caller of a request: the first product that its User-Agent names."""
    return _origin(headers.get("user-agent", ""), transport)


@lru_cache(maxsize=256)
def _origin(user_agent: str, transport: Transport) -> Origin:
    product = user_agent.strip().partition(" ")[0]
    client, _, version = product.partition("/")
    return Origin(door="http", transport=transport, client=client, client_version=version)
