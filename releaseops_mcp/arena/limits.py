"""What the arena is given from outside: its limits, and its sources of time and chance."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What the arena refuses to go beyond."""

    idle_ms: int = 86_400_000
    """An open episode that nothing has happened in for this long expires."""
    open_episodes: int = 0
    """How many episodes may be open at once; 0 for any number."""
    cached_plays: int = 1_024
    """How many episodes are kept in memory; others are rebuilt from the log on their next call."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Time and chance, handed in: the core has neither of its own."""

    now: Callable[[], float]
    """Unix time in seconds."""
    timer: Callable[[], float]
    """A monotonic clock in seconds."""
    token: Callable[[int], str]
    """Returns this many random bytes in hex."""

    def now_ms(self) -> int:
        """Return Unix time in milliseconds."""
        return int(self.now() * 1000)
