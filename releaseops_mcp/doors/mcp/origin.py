"""Who calls, as the log notes it, in either protocol era."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from releaseops_mcp.doors.mcp.door import Context, Transport
from releaseops_mcp.events import Origin
from releaseops_mcp.log.trace import TRACEPARENT_CHARS, read_traceparent


def origin_of(context: Context, transport: Transport) -> Origin:
    """Return the caller of a request: the handshake names it in 2025, the envelope of each request since 2026."""
    params = context.session.client_params
    client = params.client_info if params else None
    named = (client.name, client.version) if client else ("", "")
    return _origin(transport, context.protocol_version, *named, _traceparent(context.meta or {}))


@lru_cache(maxsize=1_024)
def _origin(transport: Transport, protocol: str, client: str, client_version: str, traceparent: str) -> Origin:
    """Return an origin; the same client asks again and again."""
    return Origin(
        door="mcp",
        transport=transport,
        protocol=protocol,
        client=client,
        client_version=client_version,
        traceparent=traceparent,
    )


def _traceparent(meta: Mapping[str, Any]) -> str:
    """Return the trace context in a request's `_meta`; one that is malformed counts as none, as W3C says."""
    given = meta.get("traceparent")
    if not isinstance(given, str) or read_traceparent(given) is None:
        return ""
    return given[:TRACEPARENT_CHARS]
