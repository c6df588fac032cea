"""The rollout that a ship request asks for: planned for an hour that no window denies."""

from dataclasses import replace

from releaseops_mcp.world.artefacts.calendar import CANCELLED, CONFIRMED, Freeze
from releaseops_mcp.world.artefacts.rollout import DEFERRED, INCLUDED, Change, Rollout
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.changes.ship import Ship
from releaseops_mcp.world.changes.slots import NEAREST, clear, in_week, slot
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.hashing import blob_id

KINDS = ("feature", "reliability", "security", "dependency")
"""What a change may be."""
WEIGHTS = (5, 25, 50)
PAUSES = (20, 30, 40, 60)
SUMMARIES = ("Change freeze", "Quarter close", "Audit week", "Live event", "Data centre move")
OFFSETS = (-8, -5, 1, 5, 8, 9)
"""Hours that the local time of whoever sets a freeze is ahead of UTC."""
ELSEWHERE = "website"
SOON = 0.3
"""How often a rollout begins as soon as it is approved."""


def add(draft: Draft, draws: Draws) -> None:
    """Plan the rollout and draw the calendar, under an id that the request names."""
    dep = draft.new_id("dep")
    draft.refs.append(dep)
    freezes = calendar(draft, draws.child("calendar"))
    plan = _plan(draft, draws.child("plan"))
    planned = slot(draft, freezes, plan.minutes, clear, draws.child("hour")) or draft.minute + NEAREST
    if draws.chance(SOON) and not in_week(draft, draft.minute, NEAREST):
        planned = draft.minute - draws.integer(1, 6) * HOUR
    draft.ship = Ship(dep, replace(plan, not_before=planned), freezes)


def calendar(draft: Draft, draws: Draws) -> tuple[Freeze, ...]:
    """Return the entries: one that is over, one to come, one that was cancelled, one of another service."""
    soon = draft.minute + NEAREST
    over = draft.minute - draws.integer(6, 60) * HOUR
    rows = [
        (draft.service.name, over - draws.integer(12, 72) * HOUR, over, CONFIRMED),
        (draft.service.name, *_stretch(soon + 8 * HOUR, draws), CONFIRMED),
        (draft.service.name, *_stretch(soon, draws), CANCELLED),
        (_another(draft), *_stretch(soon, draws), CONFIRMED),
    ]
    entries = [
        Freeze(draws.choice(SUMMARIES), start, end, draws.choice(OFFSETS), service, status)
        for service, start, end, status in rows
    ]
    return tuple(sorted(entries, key=lambda each: (each.start, each.end, each.status)))


def _stretch(earliest: int, draws: Draws) -> tuple[int, int]:
    start = earliest + draws.integer(0, 100) * HOUR
    return start, start + draws.integer(14, 48) * HOUR


def _plan(draft: Draft, draws: Draws) -> Rollout:
    newest = draws.integer(8, 40)
    release, previous = (f"2026.{number}" for number in (newest + 1, newest))
    weights = WEIGHTS[: draws.integer(2, 3)]
    states = [INCLUDED, *draws.sample((INCLUDED, DEFERRED), 2)]
    return Rollout(
        number=7_000 + 10 * (newest + 1),
        release=release,
        sha=blob_id(f"{draft.service.name} {release}\n"),
        creator=draft.worker,
        not_before=draft.minute,
        steps=tuple((weight, draws.choice(PAUSES)) for weight in weights),
        schema=f"{draws.integer(7, 40):04d}",
        changes=tuple(Change(f"pr_{draws.integer(101, 999)}", draws.choice(KINDS), state) for state in states),
        previous=previous,
        digest=f"sha256:{blob_id(previous)[:24]}",
        kept_until=draft.minute + 10 * DAY + draws.integer(4 * 24, 50 * 24) * HOUR,
    )


def _another(draft: Draft) -> str:
    return next((each.name for each in draft.org.services if each.name != draft.service.name), ELSEWHERE)


ORDINARY = Ordinary(name="rollout", order=30, requests=("ship_release_candidate",), add=add)
