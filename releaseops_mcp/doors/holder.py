"""Opens the arena when it is first needed, and again after the log was out of reach.

A client must get an answer to its handshake even where the log cannot be opened: each call then says why, until one
finds that the log is back.
"""

from collections.abc import Callable
from threading import Lock

from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.log.patience import WouldWait, patient
from releaseops_mcp.settings import open_arena


class ArenaHolder:
    """Holds one arena for many threads."""

    def __init__(self, open_arena: Callable[[], Arena] = open_arena) -> None:
        self._open = open_arena
        self._guard = Lock()
        self._arena: Arena | None = None
        self._failures = 0
        self._failure: ReleaseOpsError | None = None

    def get(self) -> Arena:
        """Return the arena, opening it where it is not open.

        Raises WouldWait where it is not open and the caller may not wait, and what opening raises (StoreUnavailable,
        SchemaTooNew, InvalidArgument for a setting). Threads that wait while an attempt fails share its failure
        instead of queueing for one attempt each.
        """
        failures = self._failures
        if self._arena is None and not patient():
            raise WouldWait
        with self._guard:
            if self._arena is None:
                if self._failure is not None and self._failures != failures:
                    raise self._failure
                self._arena = self._attempt()
            return self._arena

    def lost(self, arena: Arena) -> None:
        """Let go of an arena whose log is out of reach, and of its connections: the next call opens it anew."""
        with self._guard:
            if self._arena is arena:
                self._arena = None
        arena.close()

    def close(self) -> None:
        """Close the arena, if it is open."""
        if self._arena is not None:
            self.lost(self._arena)

    def _attempt(self) -> Arena:
        try:
            return self._open()
        except ReleaseOpsError as error:
            self._failures += 1
            self._failure = error
            raise
