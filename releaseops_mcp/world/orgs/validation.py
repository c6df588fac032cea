"""What is wrong with an organisation beyond its shape: names that lead nowhere, rules that nobody could satisfy."""

from collections.abc import Callable, Iterator

from pydantic import ValidationError

from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.templates import template_names
from releaseops_mcp.world.workers.registry import archetypes


def problems(org: Org) -> list[str]:
    """Return every problem as a sentence that says what to change; an empty list for a sound organisation."""
    return [problem for check in CHECKS for problem in check(org)]


def _services(org: Org) -> Iterator[str]:
    teams = {team for person in org.people for team in person.teams}
    for service in org.services:
        if service.template not in template_names():
            yield (
                f"service {service.name}: no template {service.template!r}; use one of {', '.join(template_names())}"
            )
        for team in service.owners:
            if team not in teams:
                yield f"service {service.name}: nobody is in the owning team {team!r}; add a person to it"


def _rules(org: Org) -> Iterator[str]:
    exceptions = {waiver.id for waiver in org.exceptions}
    services = {service.name for service in org.services}
    seen: set[str] = set()
    for rule in org.rules:
        if rule.id in seen:
            yield f"rule {rule.id}: the id is used twice; rename one"
        seen.add(rule.id)
        family = families().get(rule.family)
        if family is None:
            yield f"rule {rule.id}: unknown family {rule.family!r}; use one of {', '.join(families())}"
            continue
        try:
            family.params.model_validate(rule.params)
        except ValidationError as error:
            first = error.errors()[0]
            yield f"rule {rule.id}: params.{'.'.join(map(str, first['loc']))}: {first['msg']}"
        for name in sorted(set(rule.unless) - exceptions):
            yield f"rule {rule.id}: no exception {name!r}; add it under exceptions or drop it from unless"
        for name in sorted(set(rule.scope.services) - services):
            yield f"rule {rule.id}: no service {name!r} to be in scope; add it under services or drop it"


def _exceptions(org: Org) -> Iterator[str]:
    rules = {rule.id for rule in org.rules}
    for waiver in org.exceptions:
        if waiver.rule not in rules:
            yield f"exception {waiver.id}: it names no rule of yours ({waiver.rule!r}); name one of {', '.join(sorted(rules))}"
        grantors = [p for p in org.people if waiver.grantor_team in p.teams and p.kind == "human"]
        if not grantors:
            yield f"exception {waiver.id}: no human is in {waiver.grantor_team!r}, so nobody can grant it; add one"


def _approvers(org: Org) -> Iterator[str]:
    seats = [seat.id for seat in org.workers]
    for rule in org.rules:
        if rule.family != "review_authority":
            continue
        for seat in seats:
            able = [p for p in org.people if p.kind == "human" and seat not in p.operator_of]
            wanted = int(rule.params.get("approvals", 1))
            if len(able) < wanted:
                yield f"rule {rule.id}: {wanted} approvals are wanted, but only {len(able)} people may approve {seat}"


def _workers(org: Org) -> Iterator[str]:
    if not org.workers:
        yield "workers: there is none; add at least one seat with an id and a role"
    for name in sorted({seat.archetype for seat in org.workers if seat.archetype} | set(org.archetypes)):
        if name not in archetypes():
            yield f"workers: no archetype {name!r}; use one of {', '.join(archetypes())}"


CHECKS: tuple[Callable[[Org], Iterator[str]], ...] = (_services, _rules, _exceptions, _approvers, _workers)
