"""The rollback drills of a service: one really done lately, an older one, one of another service."""

from releaseops_mcp.world.artefacts.drills import AUTOMATIC, EXECUTED, TABLETOP, Drill
from releaseops_mcp.world.changes.asked import asked
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.changes.ordinary.rollout import ELSEWHERE
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.rules.readiness import Readiness

FAMILY = "readiness"
MARGIN = 5
"""Days that a drill stays valid at least: longer than any release takes."""


def add(draft: Draft, draws: Draws) -> None:
    """Write the drills into the ship request."""
    assert draft.ship is not None
    draft.ship.drills = drilled(draft, draws, tabletop_last=False)


def drilled(draft: Draft, draws: Draws, *, tabletop_last: bool) -> tuple[Drill, ...]:
    """Return the drills; with `tabletop_last` the newest was only talked through, and the last real one is too old."""
    assert draft.ship is not None
    plan = draft.ship.rollout
    days = [each.drill_days for each in asked(draft, FAMILY, Readiness) if each.drill_days] or [30]
    recent = draft.minute - draws.integer(24, 24 * max(2, min(days) - MARGIN)) * HOUR
    old = draft.minute - max(days) * DAY - draws.integer(48, 40 * 24) * HOUR
    real, talked = draws.choice((EXECUTED, EXECUTED, AUTOMATIC)), TABLETOP
    last, before = (talked, real) if tabletop_last else (real, talked)
    other = next((each.name for each in draft.org.services if each.name != draft.service.name), ELSEWHERE)
    numbers = sorted(draws.sample(range(20, 99), 3), reverse=True)
    release = int(plan.previous.partition(".")[2])
    rows = [
        (draft.service.name, last, recent, release),
        (draft.service.name, before, old, release - 3),
        (other, EXECUTED, draft.minute - draws.integer(24, 90 * 24) * HOUR, draws.integer(8, 40)),
    ]
    rows.sort(key=lambda row: -row[2])
    return tuple(
        Drill(f"drill_{number}", service, mode, plan.schema, f"2026.{new - 1}", f"2026.{new}", minute, "succeeded")
        for number, (service, mode, minute, new) in zip(numbers, rows, strict=True)
    )


ORDINARY = Ordinary(name="drills", order=40, requests=("ship_release_candidate",), add=add)
