"""The official suite's fixtures that talk to the client while they run: logging, progress, sampling, elicitation.

Requests to the client exist in the 2025 protocol only; our server makes none, these tools are here for the suite.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolRequestParams,
    CallToolResult,
    SamplingMessage,
    TextContent,
    Tool,
)

from tests.conformance.fixture_content import NOTHING, text

Context = ServerRequestContext[Any, Any]
Behaviour = Callable[[Context, CallToolRequestParams], Awaitable[CallToolResult]]

bus = InMemorySubscriptionBus()
"""Where the fixtures announce that a list has changed."""

_PAUSE_SECONDS = 0.05

_DEFAULTS = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
}
_OPTIONS = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
_ENUMS = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": _OPTIONS},
        "legacyEnum": {"type": "string", "enum": ["a", "b", "c"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": _OPTIONS}},
    },
}
_USER = {
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    },
    "required": ["username", "email"],
}


async def _logging(ctx: Context, _: CallToolRequestParams) -> CallToolResult:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message("info", words, related_request_id=ctx.request_id)
        await anyio.sleep(_PAUSE_SECONDS)
    return text("logged")


async def _progress(ctx: Context, _: CallToolRequestParams) -> CallToolResult:
    for done in (0, 50, 100):
        await ctx.session.report_progress(done, 100)
        await anyio.sleep(_PAUSE_SECONDS)
    return text("progressed")


async def _sampling(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
    prompt = TextContent(text=(params.arguments or {})["prompt"])
    answer = await ctx.session.create_message(
        [SamplingMessage(role="user", content=prompt)], max_tokens=100, related_request_id=ctx.request_id
    )
    return text(f"LLM response: {getattr(answer.content, 'text', answer.content)}")


def _eliciting(schema: dict[str, Any], message: str | None = None) -> Behaviour:
    async def elicit(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        asked = message or (params.arguments or {})["message"]
        answer = await ctx.session.elicit_form(asked, schema, related_request_id=ctx.request_id)
        return text(f"Elicitation completed: action={answer.action}, content={answer.content}")

    return elicit


async def _missing_capability(ctx: Context, _: CallToolRequestParams) -> CallToolResult:
    declared = ctx.session.client_capabilities
    if declared is None or declared.sampling is None:
        needed = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "this tool needs sampling", needed)
    return text("the client can sample")


async def _reconnection(ctx: Context, _: CallToolRequestParams) -> CallToolResult:
    if ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
    await anyio.sleep(4 * _PAUSE_SECONDS)
    return text("reconnected")


def _announcing(event: Any) -> Behaviour:
    async def announce(_ctx: Context, _params: CallToolRequestParams) -> CallToolResult:
        await bus.publish(event)
        return text("announced")

    return announce


BEHAVIOURS: dict[str, Behaviour] = {
    "test_tool_with_logging": _logging,
    "test_logging_tool": _logging,
    "test_tool_with_progress": _progress,
    "test_sampling": _sampling,
    "test_elicitation": _eliciting(_USER),
    "test_elicitation_sep1034_defaults": _eliciting(_DEFAULTS, "Your details, please"),
    "test_elicitation_sep1330_enums": _eliciting(_ENUMS, "Your choices, please"),
    "test_reconnection": _reconnection,
    "test_missing_capability": _missing_capability,
    "test_trigger_tool_change": _announcing(ToolsListChanged()),
    "test_trigger_prompt_change": _announcing(PromptsListChanged()),
}
_ARGUMENTS = {"test_sampling": "prompt", "test_elicitation": "message"}


def _schema(name: str) -> dict[str, Any]:
    if name not in _ARGUMENTS:
        return NOTHING
    return {"type": "object", "properties": {_ARGUMENTS[name]: {"type": "string"}}, "required": [_ARGUMENTS[name]]}


TOOLS = [Tool(name=name, description="A fixture of the suite.", input_schema=_schema(name)) for name in BEHAVIOURS]
