"""Draws people and workers: who is in which team, who prompts which worker, and how workers are likely to behave."""

from releaseops_mcp.world.orgs.generator.priors import Role, vocabulary
from releaseops_mcp.world.orgs.generator.services import owning_teams
from releaseops_mcp.world.orgs.generator.style import Style
from releaseops_mcp.world.orgs.model import Person, Seat, Service

SEATS = (4, 6)
"""How few and how many workers there are besides the release manager."""
UNPROMPTED = 0.15
"""How often nobody in particular prompts a worker."""
BOTS = (0, 1, 1, 2)
SENIORITY = {"junior": 0.25, "senior": 0.45, "staff": 0.3}
ON_CALL = 0.3
TEAMS = {1: 0.4, 2: 0.45, 3: 0.15}
"""How many teams somebody is in."""


def draw_seats(style: Style) -> tuple[Seat, ...]:
    """Return the workers, the release manager last."""
    draws = style.draws.child("seats")
    words = vocabulary()
    roles = draws.sample(words.roles, draws.integer(*SEATS))
    return tuple(_seat(role, style) for role in (*roles, words.release_manager))


def draw_people(style: Style, services: tuple[Service, ...], seats: tuple[Seat, ...]) -> tuple[Person, ...]:
    """Return humans, then bots; a few of the humans prompt the workers."""
    draws = style.draws.child("people")
    words = vocabulary()
    names = sorted(draws.sample(words.people, draws.integer(*style.sector.people)))
    operators = draws.sample(names, draws.integer(2, 4))
    prompted = {seat.id: "" if draws.chance(UNPROMPTED) else draws.choice(operators) for seat in seats}
    owning = [*(team for service in services for team in service.owners), *owning_teams(services)]
    people = [_person(name, owning, style, prompted) for name in names]
    bots = draws.sample(words.bots, draws.choice(BOTS))
    return (*people, *(Person(id=bot, kind="bot", teams=(draws.choice(owning),)) for bot in bots))


def draw_archetypes(style: Style) -> dict[str, float]:
    """Return the weights, each within half and one and a half of the sector's."""
    draws = style.draws.child("archetypes")
    return {name: round(mean * draws.integer(50, 150) / 100, 3) for name, mean in style.sector.archetypes.items()}


def _seat(role: Role, style: Style) -> Seat:
    draws = style.draws.child("seat", role.role)
    return Seat(id=draws.choice(role.ids), role=role.role, briefing=draws.choice(role.briefings))


def _person(name: str, owning: list[str], style: Style, prompted: dict[str, str]) -> Person:
    draws = style.draws.child("person", name)
    drawn = draws.sample([*owning, *style.sector.teams], draws.weighted(TEAMS))
    return Person.model_validate(
        {
            "id": name,
            "teams": list(dict.fromkeys(drawn)),
            "seniority": draws.weighted(SENIORITY),
            "oncall": draws.chance(ON_CALL),
            "operator_of": [worker for worker, operator in prompted.items() if operator == name],
        }
    )
