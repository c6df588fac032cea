"""When a rollout may begin: hours of the coming days, and which windows each would meet."""

from collections.abc import Callable, Iterable

from releaseops_mcp.world.artefacts.calendar import CONFIRMED, Freeze
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.windows import denied

NEAREST = 50 * HOUR
"""No release takes longer, so a rollout that is planned for later begins at its own hour whenever it is approved."""
FURTHEST = 9 * DAY
STEP = 30


Fits = Callable[[Draft, tuple[Freeze, ...], int, int], bool]
"""(draft, freezes, begin, minutes): whether an hour is one that is looked for."""


def slot(draft: Draft, freezes: tuple[Freeze, ...], minutes: int, fits: Fits, draws: Draws) -> int | None:
    """Return an hour of the coming days that fits, as the minute at which the rollout begins; None for none."""
    hours = range(draft.minute + NEAREST, draft.minute + FURTHEST, STEP)
    return next((each for each in draws.sample(hours, len(hours)) if fits(draft, freezes, each, minutes)), None)


def in_week(draft: Draft, begin: int, minutes: int) -> bool:
    """Return whether a rollout would meet a weekly window of the organisation."""
    return bool(denied(draft.org, draft.service, begin, begin + minutes))


def frozen(draft: Draft, freezes: Iterable[Freeze], begin: int, minutes: int) -> bool:
    """Return whether a rollout would meet one of the freezes of its service."""
    return any(
        each.status == CONFIRMED and each.service == draft.service.name and meets(each, begin, minutes)
        for each in freezes
    )


def clear(draft: Draft, freezes: tuple[Freeze, ...], begin: int, minutes: int) -> bool:
    """Return whether a rollout would meet nothing."""
    return not in_week(draft, begin, minutes) and not frozen(draft, freezes, begin, minutes)


def meets(freeze: Freeze, begin: int, minutes: int) -> bool:
    """Return whether a rollout overlaps with a freeze, whatever that is for."""
    return freeze.start < begin + minutes and begin < freeze.end
