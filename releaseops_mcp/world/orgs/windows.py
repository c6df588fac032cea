"""Weekly windows: whether a stretch of time meets one that the handbook denies, in this week or another."""

from releaseops_mcp.world.orgs.model import Handbook, Service, Window
from releaseops_mcp.world.orgs.service_checks import WEEK_MINUTES


def meets(window: Window, begin: int, end: int) -> bool:
    """Return whether a window, repeated every week, overlaps with `begin` to `end`."""
    weeks = range(begin // WEEK_MINUTES, end // WEEK_MINUTES + 1)
    starts = (week * WEEK_MINUTES for week in weeks)
    return any(window.start + start < end and begin < window.end + start for start in starts)


def denied(handbook: Handbook, service: Service, begin: int, end: int) -> tuple[Window, ...]:
    """Return the windows in which a change of a service that lasts from `begin` to `end` is denied."""
    return tuple(
        window
        for window in handbook.calendar
        if (not window.services or service.name in window.services) and meets(window, begin, end)
    )
