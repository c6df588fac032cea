"""From a sector and a seed to an organisation: draws until validation is content, and keeps what it refused."""

from dataclasses import dataclass
from functools import lru_cache

from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.orgs.generator.calendar import draw_calendar
from releaseops_mcp.world.orgs.generator.names import GeneratedName
from releaseops_mcp.world.orgs.generator.people import draw_archetypes, draw_people, draw_seats
from releaseops_mcp.world.orgs.generator.priors import sectors
from releaseops_mcp.world.orgs.generator.rules import draw_book
from releaseops_mcp.world.orgs.generator.services import draw_services, owning_teams
from releaseops_mcp.world.orgs.generator.style import style_of
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.orgs.validation import problems

MOST_ATTEMPTS = 200
LEAST_KINDS = 4
"""An organisation in which fewer kinds could go wrong is not worth playing."""
REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Drawn:
    """An organisation, and the draws before it that contradicted themselves."""

    org: Org
    refused: tuple[tuple[str, ...], ...]
    """For each refused draw what was wrong with it, as validation says it."""

    @property
    def attempts(self) -> int:
        """How many draws it took."""
        return len(self.refused) + 1


def generate_org(sector: str, seed: int) -> Org:
    """Return the organisation of a sector and a seed, always the same; raises InvalidArgument for an unknown sector."""
    return draw_org(sector, seed).org


@lru_cache(maxsize=REMEMBERED)
def draw_org(sector: str, seed: int) -> Drawn:
    """Return the organisation with the draws that were refused on the way; raises InvalidArgument."""
    if sector not in sectors():
        raise InvalidArgument(f"no sector {sector!r}: use one of {', '.join(sectors())}")
    if seed < 0:
        raise InvalidArgument(f"seed {seed}: give a whole number from 0 on")
    refused: list[tuple[str, ...]] = []
    for attempt in range(MOST_ATTEMPTS):
        org = draw_once(sector, seed, attempt)
        wrong = tuple(problems(org)) or _too_little(org)
        if not wrong:
            return Drawn(org, tuple(refused))
        refused.append(wrong)
    raise RuntimeError(f"{sector} {seed}: {MOST_ATTEMPTS} draws contradict themselves, the last one: {refused[-1][0]}")


def draw_once(sector: str, seed: int, attempt: int) -> Org:
    """Return one draw as it comes, sound or not."""
    draws = Draws("org", sector, seed, attempt)
    style = style_of(sectors()[sector], draws)
    services, seats = draw_services(style), draw_seats(style)
    people = draw_people(style, services, seats)
    teams = (*(team for person in people for team in person.teams), *owning_teams(services), *style.sector.teams)
    book = draw_book(style, services, teams)
    words = draws.child("prose")
    return Org(
        id=GeneratedName(sector, seed).id,
        title=style.title,
        sector=sector,
        phase_hours=words.weighted(style.sector.phase_hours),
        prose=" ".join(words.sample(style.sector.prose, 2)).format(title=style.title),
        services=services,
        people=people,
        labels=book.labels,
        rules=tuple(book.rules),
        exceptions=tuple(book.exceptions),
        calendar=draw_calendar(style, services, book),
        workers=seats,
        archetypes=draw_archetypes(style),
    )


def _too_little(org: Org) -> tuple[str, ...]:
    found = len(plantable(org))
    if found >= LEAST_KINDS:
        return ()
    return (f"only {found} kinds of failure could happen here; add rules that more than warn",)
