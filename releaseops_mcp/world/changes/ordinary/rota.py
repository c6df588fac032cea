"""The on-call rota: two weeks of shifts, a swap for some hours, and everybody has acknowledged."""

from releaseops_mcp.world.artefacts.rota import Acknowledgement, Rota, Shift
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws

WEEK = 7 * DAY
SHIFTS = 2
PEOPLE = 3
"""How many take turns: two with shifts, and one who swaps."""


def add(draft: Draft, draws: Draws) -> None:
    """Write the rota into the ship request."""
    assert draft.ship is not None
    people = watchers(draft, draws)
    begin = draft.minute - draws.integer(30, 80) * HOUR
    shifts = [
        Shift(people[place % len(people)], begin + place * WEEK, begin + (place + 1) * WEEK) for place in range(SHIFTS)
    ]
    swapped = begin + draws.integer(0, 20) * 12 * HOUR
    shifts.append(Shift(people[-1], swapped, swapped + 12 * HOUR, override=True))
    draft.ship.rota = Rota(f"{draft.service.name} on-call", tuple(shifts), acknowledged(draft, people, draws))


def watchers(draft: Draft, draws: Draws) -> list[str]:
    """Return up to three people who take turns."""
    return draws.sample([person.id for person in draft.org.people if person.kind == "human"], PEOPLE)


def acknowledged(draft: Draft, people: list[str], draws: Draws) -> tuple[Acknowledgement, ...]:
    """Return that each of the people has acknowledged, in some order, within the last days."""
    minutes = sorted(draft.minute - draws.integer(2, 90) * HOUR for _ in people)
    return tuple(map(Acknowledgement, draws.sample(people, len(people)), minutes))


ORDINARY = Ordinary(name="rota", order=40, requests=("ship_release_candidate",), add=add)
