"""What every route of the HTTP door shares: the arena, the way into a worker thread, and who may see what."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, TypeVar

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.dispatch import Reply, invoke
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.http.access import Access
from releaseops_mcp.doors.http.settings import HttpSettings
from releaseops_mcp.errors import ReleaseOpsError, StoreUnavailable
from releaseops_mcp.events import Origin
from releaseops_mcp.log.patience import at_once

logger = logging.getLogger(__name__)

THREADS = 64
"""Calls that are judged at the same time, as many as the log has connections; further ones wait their turn."""

T = TypeVar("T")


class HttpDoor:
    """One HTTP server's view of the arena.

    Routes run on the event loop: `run` and `in_thread` hand their work to a thread, once, and `at_once` does so where
    the work would have to wait. `look` and `invoke` are for that work, wherever it runs.
    """

    def __init__(self, holder: ArenaHolder, settings: HttpSettings) -> None:
        self.holder = holder
        self.settings = settings
        self.access = Access(settings.token, settings.grader_token)
        self.ws_sessions = 0
        """WebSocket sessions that are open in this process, on whatever mount."""

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(THREADS, "http-door")

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Run `work` beside the event loop, which so never waits for a writer or a disk."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def at_once(self, work: Callable[[], T]) -> T:
        """Run short `work` here where nothing is in its way, and else in a worker thread."""
        return await at_once(work, self.in_thread)

    async def run(self, look: Callable[[Arena], T]) -> T:
        """Run `look` on the arena in a worker thread; raises ReleaseOpsError."""
        return await self.in_thread(lambda: self.look(look))

    def look(self, look: Callable[[Arena], T]) -> T:
        """Run `look` on the arena in this thread; raises ReleaseOpsError."""
        arena = self.holder.get()
        try:
            return look(arena)
        except StoreUnavailable:
            self.holder.lost(arena)
            raise

    def invoke(self, tool: str, arguments: Mapping[str, Any], origin: Origin) -> Reply:
        """Make one raw call in this thread; whatever goes wrong is in the reply."""
        try:
            arena = self.holder.get()
        except ReleaseOpsError as error:
            return Reply(None, error.text, type(error))
        reply = invoke(arena, tool, arguments, origin)
        if issubclass(reply.kind, StoreUnavailable):
            self.holder.lost(arena)
        return reply

    def insist(self, tool: str, arguments: Mapping[str, Any], origin: Origin) -> Reply:
        """Make one raw call in this thread; raises ReleaseOpsError where it is refused."""
        reply = self.invoke(tool, arguments, origin)
        if reply.body is None:
            raise refusal_of(reply)
        return reply

    def close(self) -> None:
        """Let the threads and the log go."""
        if "_threads" in self.__dict__:
            self._threads.shutdown()
            del self._threads
        self.holder.close()


def refusal_of(reply: Reply) -> ReleaseOpsError:
    """Return a refused call as the exception that says the same."""
    code, _, message = (reply.error or "").partition(": ")
    return reply.kind(message, code=code)
