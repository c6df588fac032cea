"""An MCP server of the same SDK whose one tool returns a constant: what a call costs before we do anything.

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

answer = json.loads(Path(sys.argv[1]).read_text())
result = types.CallToolResult(
    content=[types.TextContent(type="text", text=json.dumps(answer))], structured_content=answer
)


async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
    schema = {"type": "object", "properties": {}}
    return types.ListToolsResult(tools=[types.Tool(name="constant", description="A constant.", input_schema=schema)])


async def call_tool(_ctx: Any, _params: Any) -> types.CallToolResult:
    return result


server = Server("constant", on_list_tools=list_tools, on_call_tool=call_tool)


async def over_stdio() -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    if len(sys.argv) > 2:
        uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
    else:
        anyio.run(over_stdio)
