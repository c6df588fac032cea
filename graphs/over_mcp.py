"""A session through an MCP client: the arena in another process, over stdio or at a URL.

The episode lives in the log behind the server, so a new connection goes on where the last one stopped. The agent's
own messages cannot be logged over MCP: capture stays at `tools`.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, Tool

from graphs.bridge import NOT_OFFERED, Offer, Outcome
from releaseops_mcp.arena.tools import FINISH_EPISODE, OBSERVE, START
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import PRESENTATIONS, EnvironmentFault, InvalidArgument, LogError, ReleaseOpsError

BEGINNING = "\n\n## How to begin"
"""Where a prompt of the server turns from the task to the tools that only its own clients need."""


TIMEOUT_SECONDS = 60.0


class McpSession:
    """Plays through a connected client."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._listed: tuple[Offer, ...] = ()

    async def start(self, scenario: str, *, agent: str, model: str) -> Json:
        """Begin an episode of a ticket or of an open id; raises InvalidArgument where the server refuses."""
        outcome = await self.call(START.name, {"scenario": scenario, "agent": agent, "model": model})
        if outcome.body is None:
            raise InvalidArgument(f"the server did not start this scenario: {outcome.error}")
        return outcome.body

    async def offers(self, suite: str) -> tuple[Offer, ...]:
        """Return what the server lists, less the tools of other suites where this package knows the suite."""
        if not self._listed:
            self._listed = tuple(map(_offer, (await self._client.list_tools()).tools))
        known = suites().get(suite)
        wanted = None if known is None else {OBSERVE.name, FINISH_EPISODE.name, *(tool.name for tool in known.tools)}
        return tuple(
            offer
            for offer in self._listed
            if offer.name not in NOT_OFFERED and (wanted is None or offer.name in wanted)
        )

    async def briefing(self, suite: str) -> str:
        """Return the server's prompt of the suite, up to where it says how to begin."""
        prompt = await self._client.get_prompt(f"supervise_{suite.replace('-', '_')}")
        text = "\n\n".join(getattr(message.content, "text", "") for message in prompt.messages)
        return text.partition(BEGINNING)[0]

    async def call(self, tool: str, arguments: Json) -> Outcome:
        """Make one raw call; raises the EnvironmentFault or LogError that the server tells of."""
        result = await self._client.call_tool(tool, arguments)
        if not result.is_error:
            return Outcome(result.structured_content or json.loads(_text(result)))
        error = _text(result)
        code, _, message = error.partition(": ")
        if code in _OURS:
            raise _OURS[code](message, code=code)
        return Outcome(None, error)

    async def record(self, episode_id: str, kind: str, data: Json) -> None:
        """Keep nothing: MCP has no way for it."""


@asynccontextmanager
async def connect(target: str | StdioServerParameters | Any, token: str = "") -> AsyncGenerator[McpSession]:
    """Connect to a server (a URL, how to start one over stdio, or a server object) for as long as the block lasts.

    `token` is what a server at a URL wants to see, where it wants one.
    """
    if not token:
        async with Client(target) as client:
            yield McpSession(client)
        return
    bearer = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=bearer, timeout=TIMEOUT_SECONDS) as http,
        Client(streamable_http_client(str(target), http_client=http)) as client,
    ):
        yield McpSession(client)


def _offer(tool: Tool) -> Offer:
    """Return a listed tool; hints that are missing have the defaults of MCP."""
    hints = tool.annotations
    read_only = bool(hints and hints.read_only_hint)
    destructive = hints.destructive_hint if hints and hints.destructive_hint is not None else not read_only
    return Offer(tool.name, tool.description or tool.name, tool.input_schema, read_only, destructive)


def _text(result: CallToolResult) -> str:
    return "".join(getattr(block, "text", "") for block in result.content)


_OURS: dict[str, type[ReleaseOpsError]] = {
    row.code: kind
    for kind, row in PRESENTATIONS.items()
    if kind is ReleaseOpsError or issubclass(kind, (EnvironmentFault, LogError))
}
"""Codes that say that the arena failed, which is nothing that an agent did."""
