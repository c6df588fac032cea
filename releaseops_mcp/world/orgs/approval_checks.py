"""Checks that approvals can be given: that for every worker's change those who may approve it can satisfy the rules."""

from collections.abc import Iterator

from pydantic import ValidationError

from releaseops_mcp.world.codeowners import files_of, read
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Org, Rule, Service
from releaseops_mcp.world.rules.base import settings
from releaseops_mcp.world.rules.owner_review import Owners, owning
from releaseops_mcp.world.rules.review_authority import Authority, Change, enough
from releaseops_mcp.world.templates import load_template, template_names


def check_authority(org: Org) -> Iterator[str]:
    """Yield rules that stay unsatisfied even where all who may approve have: too few are of a team or an employer."""
    for rule, service in _covered(org, "review_authority"):
        wanted: Authority = settings(rule, Authority)
        for seat in org.workers:
            able = [person.id for person in org.people if person.kind == "human" and seat.id not in person.operator_of]
            change = Change(org, service, seat.id, pusher=seat.id)
            if len(able) >= wanted.approvals and not enough(able, wanted, change):
                yield (
                    f"rule {rule.id}: nobody's approvals would suffice for {seat.id} in {service.name}, not even those "
                    "of all who may approve it; ask for fewer of a team, or add people to it who do not operate it"
                )


def check_owners(org: Org) -> Iterator[str]:
    """Yield owners of paths whose humans all operate a worker: its changes there could never be approved."""
    for rule, service in _covered(org, "owner_review"):
        if service.template not in template_names():
            continue
        wanted: Owners = settings(rule, Owners)
        base = load_template(service.template).base
        for line in next(map(read, files_of(base).values()), ()):
            people = owning(line.owners, org)
            if wanted.paths and not any(covered((line.pattern,), path) for path in base if covered(wanted.paths, path)):
                continue
            for seat in org.workers:
                if people and all(seat.id in person.operator_of for person in org.people if person.id in people):
                    yield (
                        f"rule {rule.id}: every owner of {line.pattern} in {service.name} operates {seat.id}, so "
                        "nobody could approve its changes there; add somebody to the team"
                    )


def _covered(org: Org, family: str) -> Iterator[tuple[Rule, Service]]:
    """Yield the rules of a family whose settings are sound, with each service that they cover."""
    for rule in org.rules:
        if rule.family != family or not _is_sound(rule):
            continue
        yield from ((rule, each) for each in org.services if each.name in (rule.scope.services or (each.name,)))


def _is_sound(rule: Rule) -> bool:
    params = Authority if rule.family == "review_authority" else Owners
    try:
        params.model_validate(rule.params)
    except ValidationError:
        return False
    return True
