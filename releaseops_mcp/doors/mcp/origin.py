"""Who calls, as the log notes it, in either protocol era."""

from releaseops_mcp.doors.mcp.door import Context, Transport
from releaseops_mcp.events import Origin


def origin_of(context: Context, transport: Transport) -> Origin:
    """Return the caller of a request: the handshake names it in 2025, the envelope of each request since 2026."""
    params = context.session.client_params
    client = params.client_info if params else None
    return Origin(
        door="mcp",
        transport=transport,
        protocol=context.protocol_version,
        client=client.name if client else "",
        client_version=client.version if client else "",
    )
