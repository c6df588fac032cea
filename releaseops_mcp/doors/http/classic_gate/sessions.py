"""The original's limit on environments that are open at once: those that this process began over POST /reset.

Episodes begun through other doors do not count, and an episode outlives the process: only the arena's own limit
(`RELEASEOPS_MAX_OPEN_EPISODES`) holds across doors and processes.
"""

from collections.abc import Callable
from threading import Lock

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Started
from releaseops_mcp.errors import AtCapacity, UnknownEpisode


class Sessions:
    """Counts open environments, and refuses another one beyond the limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open: set[str] = set()
        self._starting = 0
        self._guard = Lock()

    def __len__(self) -> int:
        return len(self._open) + self._starting

    def begin(self, arena: Arena, start: Callable[[], Started]) -> Started:
        """Begin an environment; raises AtCapacity, and what `start` raises."""
        self._reserve(arena)
        try:
            started = start()
        except BaseException:
            with self._guard:
                self._starting -= 1
            raise
        with self._guard:
            self._starting -= 1
            self._open.add(started.episode_id)
        return started

    def end(self, env_id: str) -> None:
        """Count an environment no longer, if it was counted."""
        with self._guard:
            self._open.discard(env_id)

    def _reserve(self, arena: Arena) -> None:
        with self._guard:
            if len(self) >= self.limit:
                self._open = {env_id for env_id in self._open if _is_open(arena, env_id)}
            if len(self) >= self.limit:
                raise AtCapacity(f"{self.limit} environments are open, which is the limit here: close one, or wait")
            self._starting += 1


def _is_open(arena: Arena, env_id: str) -> bool:
    """Return whether an environment still is: another process may have ended it, or time."""
    try:
        return not arena.peek(env_id).done
    except UnknownEpisode:
        return False
