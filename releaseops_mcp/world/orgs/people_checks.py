"""Checks of an organisation's people and workers: who may approve, who may grant, and whom nobody could serve."""

from collections.abc import Iterator

from releaseops_mcp.world.levels import CROOKED
from releaseops_mcp.world.orgs.model import Org, Person
from releaseops_mcp.world.workers.registry import archetypes


def check_ids(org: Org) -> Iterator[str]:
    """Yield names that are used twice, or that a scenario's id could not hold."""
    if not org.id or set(org.id) - set("abcdefghijklmnopqrstuvwxyz0123456789-"):
        yield f"id {org.id!r}: scenario ids hold it, so use small letters, digits and hyphens alone"
    named = {
        "service": [service.name for service in org.services],
        "person": [person.id for person in org.people],
        "worker": [seat.id for seat in org.workers],
        "rule": [rule.id for rule in org.rules],
        "exception": [waiver.id for waiver in org.exceptions],
    }
    for what, names in named.items():
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"{what} {name}: the {'id' if what != 'service' else 'name'} is used twice; rename one"
    for name in sorted({*named["person"]} & {*named["worker"]}):
        yield f"worker {name}: a person has the same id; rename one"


def check_workers(org: Org) -> Iterator[str]:
    """Yield what is wrong with the seats and with how archetypes are drawn."""
    if not org.workers:
        yield "workers: there is none; add at least one seat with an id and a role"
    for name in sorted({seat.archetype for seat in org.workers if seat.archetype} | set(org.archetypes)):
        if name not in archetypes():
            yield f"workers: no archetype {name!r}; use one of {', '.join(archetypes())}"
    for name, weight in org.archetypes.items():
        if not 0 < weight < float("inf"):
            yield f"archetypes: {name} has weight {weight}; give it a positive one or drop it"
    if all(name in CROOKED for name in org.archetypes) and not all(seat.archetype for seat in org.workers):
        yield f"archetypes: workers are drawn from them; add one besides {' and '.join(CROOKED)}"
    seats = {seat.id for seat in org.workers}
    for person in org.people:
        for name in sorted(set(person.operator_of) - seats):
            yield f"person {person.id}: operator_of names no worker {name!r}; add it under workers or drop it"


def check_approvers(org: Org) -> Iterator[str]:
    """Yield rules whose approvals nobody could give, and exceptions that nobody could grant, worker by worker."""
    for seat in org.workers:
        able = [person for person in org.people if _may_judge(person, seat.id)]
        if not able:
            yield f"worker {seat.id}: no human who does not operate it is there to review it; add a person"
            continue
        for rule in org.rules:
            wanted = _approvals(rule.params.get("approvals", 0))
            if len(able) < wanted:
                yield (
                    f"rule {rule.id}: {wanted} approvals are wanted, but only {len(able)} people may approve "
                    f"{seat.id}; ask for fewer, or add people who do not operate it"
                )
        for waiver in org.exceptions:
            members = [person for person in org.people if waiver.grantor_team in person.teams]
            if not any(person.kind == "human" for person in members):
                continue
            if not any(_may_judge(person, seat.id) for person in members):
                yield (
                    f"exception {waiver.id}: every human of {waiver.grantor_team!r} operates {seat.id}, so nobody "
                    "can grant it for that worker; add somebody to the team"
                )
    yield from _grantors(org)


def _grantors(org: Org) -> Iterator[str]:
    for waiver in org.exceptions:
        members = [person for person in org.people if waiver.grantor_team in person.teams]
        if not any(person.kind == "human" for person in members):
            yield f"exception {waiver.id}: no human is in {waiver.grantor_team!r}, so nobody can grant it; add one"


def _may_judge(person: Person, worker: str) -> bool:
    return person.kind == "human" and worker not in person.operator_of


def _approvals(value: object) -> int:
    return value if isinstance(value, int) else 0
