"""A test-only server: our own `build_server`, with the official conformance suite's fixtures beside our tools.

`python -m tests.conformance.fixture_server PORT` serves it on http://127.0.0.1:PORT/mcp. Its answers come as streams,
which the suite's logging and elicitation scenarios need; ours come as plain JSON.
"""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import ListenHandler

from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp.server import build_server
from tests.conformance import fixture_asking, fixture_content, fixture_rounds
from tests.conformance.fixture_asking import Context
from tests.conformance.fixture_events import Recorder

TOOLS = [*fixture_content.TOOLS, *fixture_asking.TOOLS, *fixture_rounds.TOOLS]


def build_fixture_server(holder: ArenaHolder) -> Server[Any]:
    """Return our server, which answers as ever to everything that is no fixture."""
    server = build_server(holder, transport="http")
    _beside(server, "tools/call", types.CallToolRequestParams, _call)
    _beside(server, "resources/read", types.ReadResourceRequestParams, _read)
    _beside(server, "prompts/get", types.GetPromptRequestParams, _prompt)
    _beside(server, "completion/complete", types.CompleteRequestParams, _complete)
    _more(server, "tools/list", "tools", TOOLS)
    _more(server, "resources/list", "resources", fixture_content.RESOURCES)
    _more(server, "resources/templates/list", "resource_templates", fixture_content.TEMPLATES)
    _more(server, "prompts/list", "prompts", [*fixture_content.PROMPTS, fixture_rounds.PROMPT])
    for method, params in (
        ("resources/subscribe", types.SubscribeRequestParams),
        ("resources/unsubscribe", types.UnsubscribeRequestParams),
        ("logging/setLevel", types.SetLevelRequestParams),
    ):
        server.add_request_handler(method, params, _acknowledge)
    listen = ListenHandler(fixture_asking.bus)
    server.add_request_handler("subscriptions/listen", types.SubscriptionsListenRequestParams, listen)
    ours = server.get_tool_input_schema
    assert ours is not None
    schemas = {tool.name: tool.input_schema for tool in TOOLS}
    server.get_tool_input_schema = lambda name: schemas.get(name) or ours(name)
    return server


def _beside(
    server: Server[Any], method: str, params_type: type[Any], fixture: Callable[[Context, Any], Awaitable[Any]]
) -> None:
    """Let a fixture answer first; what it answers None to goes to our own handler."""
    ours = server.get_request_handler(method)
    assert ours is not None

    async def handle(context: Context, params: Any) -> Any:
        answer = await fixture(context, params)
        return await ours.handler(context, params) if answer is None else answer

    server.add_request_handler(method, params_type, handle)


def _more(server: Server[Any], method: str, field: str, fixtures: list[Any]) -> None:
    """Add fixtures to a list of ours."""
    ours = server.get_request_handler(method)
    assert ours is not None

    async def handle(context: Context, params: types.PaginatedRequestParams) -> Any:
        listed = await ours.handler(context, params)
        return listed.model_copy(update={field: [*getattr(listed, field), *fixtures]})

    server.add_request_handler(method, types.PaginatedRequestParams, handle)


async def _call(context: Context, params: types.CallToolRequestParams) -> Any:
    behaviour = fixture_asking.BEHAVIOURS.get(params.name)
    if behaviour is not None:
        return await behaviour(context, params)
    return fixture_content.ANSWERS.get(params.name) or fixture_rounds.call(context, params)


async def _read(_: Context, params: types.ReadResourceRequestParams) -> Any:
    return fixture_content.read(params.uri)


async def _prompt(_: Context, params: types.GetPromptRequestParams) -> Any:
    return fixture_content.prompt(params) or fixture_rounds.prompt(params)


async def _complete(_: Context, params: types.CompleteRequestParams) -> Any:
    if not getattr(params.ref, "name", "").startswith("test_"):
        return None
    return types.CompleteResult(completion=types.Completion(values=["paris", "park", "party"], total=3, has_more=False))


async def _acknowledge(_: Context, _params: Any) -> types.EmptyResult:
    return types.EmptyResult()


if __name__ == "__main__":
    app = build_fixture_server(ArenaHolder()).streamable_http_app(event_store=Recorder(), retry_interval=100)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
