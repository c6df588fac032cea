"""Builds the MCP server: one object, both protocol eras, any transport."""

from collections.abc import Collection
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from releaseops_mcp import __version__
from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp import identity, resources
from releaseops_mcp.doors.mcp.completions import complete
from releaseops_mcp.doors.mcp.door import Context, Door, Transport, choose_suites, refuse_cursor
from releaseops_mcp.doors.mcp.prompts import get_prompt, list_prompts
from releaseops_mcp.doors.mcp.schemas import list_tools
from releaseops_mcp.doors.mcp.tools import call_tool

_FIXED = CacheHint(ttl_ms=300_000, scope="public")
"""The lists never change while a server runs."""


def build_server(
    arena: Arena | ArenaHolder, suites: Collection[str] | None = None, transport: Transport = "stdio"
) -> Server[Any]:
    """Return the server over an arena; `suites` names those that it shows (default: all).

    Raises InvalidArgument for a name that no suite has.
    """
    holder = arena if isinstance(arena, ArenaHolder) else ArenaHolder(lambda: arena)
    handlers = _Handlers(Door(holder, choose_suites(suites), transport, tuple(suites or ())))
    return Server(
        identity.NAME,
        title=identity.TITLE,
        version=__version__,
        description=identity.DESCRIPTION,
        instructions=identity.INSTRUCTIONS,
        icons=[identity.ICON],
        cache_hints={
            "tools/list": _FIXED,
            "prompts/list": _FIXED,
            "resources/list": _FIXED,
            "resources/templates/list": _FIXED,
            "server/discover": _FIXED,
        },
        get_tool_input_schema=handlers.input_schemas.get,
        on_list_tools=handlers.on_list_tools,
        on_call_tool=handlers.on_call_tool,
        on_list_resources=handlers.on_list_resources,
        on_list_resource_templates=handlers.on_list_resource_templates,
        on_read_resource=handlers.on_read_resource,
        on_list_prompts=handlers.on_list_prompts,
        on_get_prompt=handlers.on_get_prompt,
        on_completion=handlers.on_completion,
    )


class _Handlers:
    """The SDK's signatures around the parts of the door."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._tools = list_tools(door.suites.values())
        self._policies = resources.list_policies(door.suites)
        self._prompts = list_prompts(door.suites.values())
        self.input_schemas = {tool.name: tool.input_schema for tool in self._tools}

    async def on_list_tools(self, _: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        refuse_cursor(params)
        return ListToolsResult(tools=self._tools)

    async def on_call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await call_tool(self._door, context, params)

    async def on_list_resources(self, _: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        refuse_cursor(params)
        return ListResourcesResult(resources=self._policies)

    async def on_list_resource_templates(
        self, _: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        refuse_cursor(params)
        return ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def on_read_resource(self, _: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        return await resources.read_resource(self._door, params.uri)

    async def on_list_prompts(self, _: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        refuse_cursor(params)
        return ListPromptsResult(prompts=self._prompts)

    async def on_get_prompt(self, _: Context, params: GetPromptRequestParams) -> GetPromptResult:
        return get_prompt(self._door.suites.values(), params.name, params.arguments)

    async def on_completion(self, _: Context, params: CompleteRequestParams) -> CompleteResult:
        return await complete(self._door, params)
