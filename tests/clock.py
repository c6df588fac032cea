"""Time and chance for tests: a clock that stands still until it is told to move, and tokens that count."""

from itertools import count

from releaseops_mcp.arena.limits import Sources

START_MS = 1_750_000_000_000


class Clock:
    """Stands at START_MS until a test moves it."""

    def __init__(self) -> None:
        self.ms = START_MS

    def advance(self, *, hours: float = 0, minutes: float = 0, ms: int = 0) -> None:
        self.ms += int(hours * 3_600_000 + minutes * 60_000) + ms


def sources(clock: Clock, *, first: int = 1) -> Sources:
    """Return sources on a clock; two arenas on one log need different `first` tokens."""
    tokens = count(first)
    return Sources(
        now=lambda: clock.ms / 1000,
        timer=lambda: clock.ms / 1000,
        token=lambda size: f"{next(tokens):0{size * 2}x}",
    )
