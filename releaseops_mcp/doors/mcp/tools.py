"""Tool calls: the raw name and arguments go to the arena, its reply comes back as text and structured content alike."""

import logging
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolRequestParams, CallToolResult, TextContent

from releaseops_mcp import canonical
from releaseops_mcp.arena.dispatch import Reply, invoke
from releaseops_mcp.doors.mcp.door import INTERNAL, Context, Door
from releaseops_mcp.doors.mcp.origin import origin_of
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.events import Origin

logger = logging.getLogger(__name__)


async def call_tool(door: Door, context: Context, params: CallToolRequestParams) -> CallToolResult:
    """Make one call; one that was refused, for whatever reason, is a tool error."""
    origin = origin_of(context, door.transport)
    return await door.at_once(lambda: _call(door, params.name, params.arguments or {}, origin))


def _call(door: Door, tool: str, arguments: Mapping[str, Any], origin: Origin) -> CallToolResult:
    try:
        return _result(_reply(door, tool, arguments, origin))
    except Exception:
        logger.exception("call of tool %r failed", tool[:80])
        return _refused(INTERNAL)


def _reply(door: Door, tool: str, arguments: Mapping[str, Any], origin: Origin) -> Reply:
    try:
        arena = door.holder.get()
    except ReleaseOpsError as error:
        return Reply(None, error.text, type(error))
    reply = invoke(arena, tool, arguments, origin, shown=door.shown)
    door.lost(arena, reply.kind)
    return reply


def _result(reply: Reply) -> CallToolResult:
    if reply.body is None:
        return _refused(reply.error or INTERNAL)
    text = TextContent(text=canonical.dumps(reply.body))
    return CallToolResult(content=[text], structured_content=reply.body)


def _refused(text: str) -> CallToolResult:
    """Say all of it in the text: hosts drop structured content from errors."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)
