"""A session on an arena in this process."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from graphs.bridge import NOT_OFFERED, Offer, Outcome
from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.dispatch import invoke
from releaseops_mcp.arena.tools import agent_tools
from releaseops_mcp.episodes.base import Json, Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import EnvironmentFault, LogError
from releaseops_mcp.events import CaptureLevel, Origin
from releaseops_mcp.log.patience import at_once

DOOR = "langgraph"
T = TypeVar("T")


@dataclass(frozen=True)
class LocalSession:
    """Plays on an arena, as an operator: it may name the ids of closed suites, which no message to a model holds."""

    arena: Arena
    capture: CaptureLevel = "messages"
    in_thread: bool = False
    """Whether every call is made in a worker thread: for event loops that allow no blocking call at all."""
    origins: dict[str, Origin] = field(default_factory=dict[str, Origin])
    """Who plays each episode that was begun here; another one is continued under the door's name alone."""

    async def start(self, scenario: str, *, agent: str, model: str) -> Json:
        """Begin an episode."""
        origin = Origin(door=DOOR, agent=agent, model=model)
        started = await self._make(lambda: self.arena.start(scenario, origin, capture=self.capture, operator=True))
        self.origins[started.episode_id] = origin
        return started.public()

    async def offers(self, suite: str) -> tuple[Offer, ...]:
        """Return the tools from the catalogue."""
        return _offers(suites()[suite])

    async def briefing(self, suite: str) -> str:
        """Return the suite's briefing."""
        return suites()[suite].briefing.rstrip()

    async def call(self, tool: str, arguments: Json) -> Outcome:
        """Make one raw call; raises EnvironmentFault and LogError."""
        origin = self.origins.get(str(arguments.get("episode_id")), Origin(door=DOOR))
        reply = await self._make(lambda: invoke(self.arena, tool, arguments, origin))
        if reply.body is None and issubclass(reply.kind, (EnvironmentFault, LogError)):
            code, _, message = (reply.error or "").partition(": ")
            raise reply.kind(message, code=code)
        return Outcome(reply.body, reply.error or "")

    async def record(self, episode_id: str, kind: str, data: Json) -> None:
        """Append the event."""
        await self._make(lambda: self.arena.record(episode_id, kind, data))

    async def _make(self, work: Callable[[], T]) -> T:
        return await (asyncio.to_thread(work) if self.in_thread else at_once(work, asyncio.to_thread))


@cache
def _offers(suite: Suite) -> tuple[Offer, ...]:
    return tuple(
        Offer(spec.name, spec.description, spec.json_schema(), spec.read_only, spec.destructive)
        for spec in agent_tools([suite])
        if spec.name not in NOT_OFFERED
    )
