"""An MCP server of the same SDK, with the same typed tools, that answers every call with one constant.

What a call costs before we do anything: framing, schemas and the client's own check of the answer are the same.

`python -m tests.bench.constant_server FILE [PORT]` serves the answer in FILE over stdio, or over HTTP on PORT.
"""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from releaseops_mcp.doors.mcp import schemas
from releaseops_mcp.episodes.registry import suites

answer = json.loads(Path(sys.argv[1]).read_text())
result = types.CallToolResult(
    content=[types.TextContent(type="text", text=json.dumps(answer))], structured_content=answer
)


tools = schemas.list_tools(suites().values())


async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=tools)


async def call_tool(_ctx: Any, _params: Any) -> types.CallToolResult:
    return result


server = Server(
    "constant",
    get_tool_input_schema={tool.name: tool.input_schema for tool in tools}.get,
    on_list_tools=list_tools,
    on_call_tool=call_tool,
)


async def over_stdio() -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    if len(sys.argv) > 2:
        app = server.streamable_http_app(json_response=True)
        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
    else:
        anyio.run(over_stdio)
