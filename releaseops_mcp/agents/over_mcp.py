"""Plays the same supervisors through a real MCP client, as any agent outside would.

A supervisor is plain blocking code, so it plays in a worker thread, and each of its calls is handed to the client's
event loop: there is one driver for every door.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from releaseops_mcp.agents.base import Action, Brief, Supervisor, Turn
from releaseops_mcp.agents.drive import MAX_CALLS, SupervisorFailed, drive
from releaseops_mcp.arena.tools import EPISODE_ID, FINISH_EPISODE, START
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument

if TYPE_CHECKING:
    from mcp import Client, StdioServerParameters
    from mcp.types import CallToolResult


@dataclass(frozen=True, slots=True)
class Visit:
    """One episode, played from outside: an agent never learns what it earned."""

    episode_id: str
    calls: int
    done: bool
    """Whether the world came to its end; where it did not, the record was closed."""
    truncated: bool
    fault: str | None
    """What the supervisor's own code raised."""


def own_server(database_url: str, environment: Mapping[str, str], *arguments: str) -> "StdioServerParameters":
    """Return how to start this package's own server over stdio, on a log."""
    from mcp import StdioServerParameters

    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "releaseops_mcp.cli", "mcp", *arguments],
        env={**environment, "RELEASEOPS_DATABASE_URL": database_url},
    )


async def play_over_mcp(
    client: "Client", supervisor: Supervisor, scenario: str, *, seed: int = 0, max_calls: int = MAX_CALLS
) -> Visit:
    """Start a scenario through a connected client, let a supervisor play it, and close it where it is left open.

    Raises InvalidArgument where the server refuses to start the scenario.
    """
    from anyio import to_thread

    started = await client.call_tool(START.name, {"scenario": scenario, "agent": supervisor.name})
    if started.is_error:
        raise InvalidArgument(f"the server did not start {scenario}: {text_of(started)}")
    seat = _Seat(client, _body(started))
    brief = Brief(seat.turn.observation, suites()[supervisor.suite].tools, seed)
    finished, fault = False, None
    try:
        finished = await to_thread.run_sync(
            lambda: drive(supervisor.policy, brief, seat.apply, max_calls=max_calls), abandon_on_cancel=True
        )
    except SupervisorFailed as failure:
        fault = failure.fault
    if not seat.turn.done:
        await client.call_tool(FINISH_EPISODE.name, {EPISODE_ID.name: seat.episode_id})
    return Visit(seat.episode_id, seat.calls, seat.turn.done, not finished and fault is None, fault)


def turn_of(result: "CallToolResult", before: Turn) -> Turn:
    """Return a tool result as the turn that a supervisor is sent; a refused call has changed nothing since `before`."""
    if result.is_error:
        code, _, message = text_of(result).partition(": ")
        return Turn(None, code, before.observation, before.done, before.terminal_reason, message)
    body = _body(result)
    return Turn(body["result"], None, body["observation"], body["done"], body["terminal_reason"])


def text_of(result: "CallToolResult") -> str:
    """Return the text of a tool result."""
    return "".join(getattr(block, "text", "") for block in result.content)


def _body(result: "CallToolResult") -> Json:
    body: dict[str, Any] | None = result.structured_content
    return json.loads(text_of(result)) if body is None else body


class _Seat:
    """Where a supervisor sits in its thread: makes its calls on one episode through the client."""

    def __init__(self, client: "Client", started: Json) -> None:
        self._client = client
        self.episode_id: str = started["episode_id"]
        self.calls = 0
        self.turn = Turn(None, None, started["observation"], started["done"], started["terminal_reason"])

    def apply(self, action: Action) -> Turn:
        from anyio import from_thread

        arguments = {**action.arguments, EPISODE_ID.name: self.episode_id}
        result = from_thread.run(self._client.call_tool, action.tool, arguments)
        self.calls += 1
        self.turn = turn_of(result, self.turn)
        return self.turn
