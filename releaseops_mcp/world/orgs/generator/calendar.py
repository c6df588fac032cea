"""Draws the windows in which changes are denied: one of the sector's sets, moved to the organisation's time zone."""

from collections.abc import Iterator

from releaseops_mcp.world.clock import HOUR
from releaseops_mcp.world.orgs.generator.priors import LikelyWindow
from releaseops_mcp.world.orgs.generator.rules import Book, critical_services
from releaseops_mcp.world.orgs.generator.style import Style
from releaseops_mcp.world.orgs.model import Service, Window
from releaseops_mcp.world.orgs.service_checks import WEEK_MINUTES

FAMILY = "freeze"
ZONES = (-8, -5, -3, 0, 0, 0, 1, 1, 2, 5, 9)
"""Hours by which local time is ahead of UTC."""
WHERE_FROZEN, ELSEWHERE = 0.8, 0.15
"""How often there are windows where a rule asks for them, and where none does."""


def draw_calendar(style: Style, services: tuple[Service, ...], book: Book) -> tuple[Window, ...]:
    """Return the windows, or none."""
    draws = style.draws.child("calendar")
    frozen = [rule.id for rule in book.rules if rule.family == FAMILY]
    ahead, chosen = draws.choice(ZONES), draws.choice(style.sector.windows)
    covered = critical_services(services) if draws.chance(0.4) else ()
    if not draws.chance(WHERE_FROZEN if frozen else ELSEWHERE):
        return ()
    emergency = next((waiver.id for waiver in book.exceptions if waiver.rule in frozen), "")
    return tuple(
        Window(name=name, start=start, end=end, services=covered, emergency=emergency)
        for each in chosen
        for name, start, end in _in_utc(each, ahead)
    )


def _in_utc(window: LikelyWindow, ahead: int) -> Iterator[tuple[str, int, int]]:
    """Yield a local window in UTC; in two pieces where the week turns within it."""
    start = (window.start - ahead * HOUR) % WEEK_MINUTES
    end = start + window.end - window.start
    yield window.name, start, min(end, WEEK_MINUTES)
    if end > WEEK_MINUTES:
        yield f"{window.name}, the next week", 0, end - WEEK_MINUTES
