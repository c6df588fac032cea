"""Reviews among which one side has no say: who may agree to something only looks, or agrees."""

from collections.abc import Collection, Iterator
from itertools import combinations

from releaseops_mcp.world.changes.demands import demands, met
from releaseops_mcp.world.changes.draft import Draft, ReviewDraft
from releaseops_mcp.world.codeowners import files_of, read
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.bearing import bearing as rules_of
from releaseops_mcp.world.orgs.model import Org, Person, Service
from releaseops_mcp.world.rules.base import settings
from releaseops_mcp.world.rules.owner_review import Owners, unapproved
from releaseops_mcp.world.rules.review_authority import Authority, Change, enough
from releaseops_mcp.world.templates import Template

REMARKS = ("Please keep it short.", "Fine by me.", "I would have split this.", "")


def look(draft: Draft, teams: Collection[str], draws: Draws, *, agrees: bool) -> None:
    """Let enough people of other teams approve, and two more look: one of these teams and one of another.

    One of the two approves the head and one leaves a remark; nobody else of these teams has a say.
    """
    people = draws.sample(draft.reviewers(), len(draft.org.people))
    inside = [person for person in people if not set(teams).isdisjoint(person.teams)]
    others = [person for person in people if set(teams).isdisjoint(person.teams)]
    duty = next(_enough(draft, others), others)
    rest = [person for person in others if person not in duty]
    states = ("APPROVED", "COMMENTED") if agrees else ("COMMENTED", "APPROVED")
    extra = zip((inside[0], (rest or others)[0]), states, strict=True)
    said = [*((person, "APPROVED") for person in duty), *extra]
    minute = draft.head.minute
    draft.seated = True
    draft.reviews = []
    for person, state in draws.sample(said, len(said)):
        minute += draws.integer(20, 240)
        draft.reviews.append(ReviewDraft(person.id, state, len(draft.commits) - 1, minute, draws.choice(REMARKS)))


def may_look(org: Org, service: Service, template: Template, teams: Collection[str], touched: tuple[str, ...]) -> bool:
    """Return whether every worker meets somebody of these teams, and enough others to approve what touches these paths.

    Without teams there is nobody to do without.
    """
    return not teams or all(_meets(org, service, template, teams, touched, seat.id) for seat in org.workers)


def _meets(
    org: Org, service: Service, template: Template, teams: Collection[str], touched: tuple[str, ...], worker: str
) -> bool:
    people = [each for each in org.people if each.kind == "human" and worker not in each.operator_of]
    others = {each.id for each in people if set(teams).isdisjoint(each.teams)}
    lines = next(map(read, files_of(template.base).values()), ())
    change = Change(org, service, worker, worker, touched)
    authorities = (settings(rule, Authority) for rule in rules_of(org, service, "review_authority"))
    owners = (settings(rule, Owners) for rule in rules_of(org, service, "owner_review"))
    return (
        len(others) < len(people)
        and len(others) > _least(org) + 1
        and all(enough(others, wanted, change) for wanted in authorities)
        and not any(unapproved(touched, lines, others, wanted, org) for wanted in owners)
    )


def _enough(draft: Draft, people: list[Person]) -> Iterator[list[Person]]:
    """Yield groups whose approvals suffice for the change as it is, smaller ones first."""
    asked = demands(draft)
    for size in range(_least(draft.org), len(people)):
        for group in combinations(people, size):
            if met(asked, {person.id for person in group}):
                yield list(group)


def _least(org: Org) -> int:
    return max([1, *(int(rule.params.get("approvals", 1)) for rule in org.rules)])
