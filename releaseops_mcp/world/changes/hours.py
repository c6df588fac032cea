"""Hours for which a rollout may be planned: in a window, out of it, and those that only look it.

Each has the form of `slots.Fits`.
"""

from dataclasses import replace

from releaseops_mcp.world.artefacts.calendar import Freeze
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.slots import Fits, clear, frozen, in_week, meets
from releaseops_mcp.world.clock import DAY, HOUR


def weekly(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether an hour is in a weekly window alone."""
    return in_week(draft, begin, minutes) and not frozen(draft, freezes, begin, minutes)


def on_its_day(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether an hour is free on a day that has a weekly window."""
    return clear(draft, freezes, begin, minutes) and in_week(draft, begin // DAY * DAY, DAY)


def at_its_hours(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether an hour is free that on another day is in a weekly window."""
    other_days = (begin + day * DAY for day in range(-3, 4))
    return clear(draft, freezes, begin, minutes) and any(in_week(draft, other, minutes) for other in other_days)


def dated(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether an hour is in a dated freeze alone."""
    return frozen(draft, freezes, begin, minutes) and not in_week(draft, begin, minutes)


def lookalike(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether an hour meets only what does not count: another service's freeze, or a cancelled one."""
    return clear(draft, freezes, begin, minutes) and any(meets(each, begin, minutes) for each in freezes)


def dated_by_zone(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether an hour is in a freeze, though the digits say otherwise."""
    return dated(draft, freezes, begin, minutes) and not frozen(draft, _as_written(freezes), begin, minutes)


def clear_by_zone(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether an hour is free, though the digits put it into a freeze."""
    return clear(draft, freezes, begin, minutes) and frozen(draft, _as_written(freezes), begin, minutes)


def _as_written(freezes: tuple[Freeze, ...]) -> tuple[Freeze, ...]:
    """Return the freezes as somebody would read them who overlooks the zone."""
    moved = ((each, each.offset * HOUR) for each in freezes)
    return tuple(replace(each, start=each.start + by, end=each.end + by) for each, by in moved)


def runs_into(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether a rollout begins before a freeze and ends within it."""
    return dated(draft, freezes, begin, minutes) and not frozen(draft, freezes, begin, 1)


def over_before(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether a rollout ends shortly before a freeze."""
    later = begin + minutes
    return clear(draft, freezes, begin, minutes) and frozen(draft, freezes, later, minutes)


HOURS: dict[str, tuple[Fits, ...]] = {
    "weekly": (weekly, on_its_day, at_its_hours),
    "wait": (clear, clear),
    "scope": (dated, lookalike),
    "runs-into": (runs_into, over_before),
    "time-zone": (dated_by_zone, clear_by_zone),
    "emergency": (dated, clear),
}
"""By variant: which hours are for the fault, and then which are for the twin."""
