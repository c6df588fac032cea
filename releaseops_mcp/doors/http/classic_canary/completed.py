"""How many finished results are kept: all of them, unless MAX_COMPLETED_EPISODES limits them as the original did.

The log itself forgets nothing. What is forgotten here is what this process saw finish, first in first out.
"""

from collections import deque
from threading import Lock


class Completed:
    """The finished episodes in order of their completion."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: deque[str] = deque()
        self._forgotten: set[str] = set()
        self._guard = Lock()

    def add(self, episode_id: str) -> None:
        """Note a finished episode, and forget the oldest one beyond the limit; 0 is no limit."""
        if not self._limit:
            return
        with self._guard:
            self._kept.append(episode_id)
            if len(self._kept) > self._limit:
                self._forgotten.add(self._kept.popleft())

    def has_forgotten(self, episode_id: str) -> bool:
        """Return whether the result of an episode may no longer be read here."""
        return episode_id in self._forgotten
