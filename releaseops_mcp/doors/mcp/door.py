"""What every handler of the MCP door shares: the arena, the suites it shows, and the way into a worker thread."""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, PaginatedRequestParams

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument, ReleaseOpsError, StoreUnavailable
from releaseops_mcp.log.patience import at_once

Transport = Literal["stdio", "http"]
Context = ServerRequestContext[Any, Any]

logger = logging.getLogger(__name__)

THREADS = 64
"""Calls that are judged at the same time, as many as the log has connections; further ones wait their turn."""
INTERNAL = "internal_error: the server failed on this request and has noted why; observe the episode, then go on"

T = TypeVar("T")


@dataclass(frozen=True)
class Door:
    """One MCP server's view of the arena."""

    holder: ArenaHolder
    suites: Mapping[str, Suite]
    """The suites that it shows."""
    transport: Transport
    shown: Collection[str]
    """Names of the suites where it shows only some; empty where it shows all."""
    threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(THREADS))

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Run `work` beside the event loop, which so never waits for a writer or a disk."""
        return await run_sync(work, limiter=self.threads)

    async def at_once(self, work: Callable[[], T]) -> T:
        """Run short `work` here where nothing is in its way, and else in a worker thread."""
        return await at_once(work, self.in_thread)

    async def read(self, look: Callable[[Arena], T]) -> T:
        """Run `look` on the arena in a worker thread; every failure becomes an MCPError that is safe to show."""
        return await self.in_thread(lambda: self._look(look))

    def lost(self, arena: Arena, kind: type[ReleaseOpsError]) -> None:
        """Let the next call open the log anew where an error says that it is out of reach."""
        if issubclass(kind, StoreUnavailable):
            self.holder.lost(arena)

    def _look(self, look: Callable[[Arena], T]) -> T:
        try:
            arena = self.holder.get()
            try:
                return look(arena)
            except ReleaseOpsError as error:
                self.lost(arena, type(error))
                raise
        except ReleaseOpsError as error:
            raise MCPError(INTERNAL_ERROR, error.text) from error
        except MCPError:
            raise
        except Exception:
            logger.exception("a request failed")
            raise MCPError(INTERNAL_ERROR, INTERNAL) from None


def choose_suites(names: Collection[str] | None) -> Mapping[str, Suite]:
    """Return the suites of these names, or all; raises InvalidArgument for a name that no suite has."""
    unknown = [name for name in names or () if name not in suites()]
    if unknown:
        raise InvalidArgument(f"no suite {unknown[0]!r}: the suites are {', '.join(suites())}")
    return {name: suite for name, suite in suites().items() if not names or name in names}


def refuse_cursor(params: PaginatedRequestParams | None) -> None:
    """Refuse any cursor: every list of this server fits one page, so it has handed none out."""
    if params is not None and params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "no such cursor: this list has one page")
