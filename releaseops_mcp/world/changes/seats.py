"""Who sits in a review where one approval decides: a group that suffices, and somebody who cannot replace one of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from releaseops_mcp.world.changes.demands import Demand, demands, met
from releaseops_mcp.world.changes.draft import Draft, ReviewDraft
from releaseops_mcp.world.changes.ordinary import change
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.model import Org, Person, Service
from releaseops_mcp.world.templates import Template

REMARKS = ("Reads well.", "Checked the edge cases.", "Fine by me.", "One nit, take it or leave it.", "")
LARGEST = 3
"""People in a group, at most: more would fill another page of reviews."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The people of a review."""

    group: tuple[str, ...]
    """Their approvals suffice."""
    needed: str
    """One of them."""
    odd: str
    """Not one of them; with this approval in place of the needed one the group does not suffice."""


def seats(draft: Draft, family: str, odd: Sequence[Person], draws: Draws, *, pushes: bool = False) -> Seats | None:
    """Return seats where the exchange breaks rules of the family and of no other; None where there are none.

    With `pushes` the odd one is who pushed last, and the group suffices all the same.
    """
    people = [person.id for person in draws.sample(draft.reviewers(), len(draft.org.people))]
    for stranger in (person.id for person in draws.sample(odd, len(odd))):
        if pushes:
            push_by(draft, stranger)
        found = _beside(stranger, family, demands(draft), [person for person in people if person != stranger])
        if found is not None:
            return found
    return None


def _beside(stranger: str, family: str, asked: tuple[Demand, ...], people: list[str]) -> Seats | None:
    """Return the first seats of a stranger: small groups first."""
    own, others = ([demand for demand in asked if (demand.family == family) is wanted] for wanted in (True, False))
    groups = (group for size in range(1, LARGEST + 1) for group in combinations(people, size))
    for group in (group for group in groups if met(asked, group)):
        for needed in group:
            exchanged = {*group, stranger} - {needed}
            if met(others, exchanged) and not met(own, exchanged):
                return Seats(group, needed, stranger)
    return None


def push_by(draft: Draft, author: str) -> None:
    """Let somebody else have written the head commit."""
    draft.commits[-1] = replace(draft.head, author=author)


def review(draft: Draft, who: Seats, draws: Draws, *, fault: bool) -> None:
    """Let the group approve and the odd one remark; a fault lets the odd one and the needed one change places."""
    quiet = who.needed if fault else who.odd
    minute, head = draft.head.minute, len(draft.commits) - 1
    draft.reviews = []
    for user in draws.sample([*who.group, who.odd], len(who.group) + 1):
        minute += draws.integer(30, 240)
        state = "COMMENTED" if user == quiet else "APPROVED"
        draft.reviews.append(ReviewDraft(user, state, head, minute, draws.choice(REMARKS)))
    draft.seated = True


def everywhere(org: Org, service: Service, template: Template, works: Callable[[Draft], bool]) -> bool:
    """Return whether something works for every worker and every edit of a template."""
    for seat in org.workers:
        for edit in template.edits:
            draft = Draft(org, service, template, edit, "merge_change", seat.id, 100, 0)
            change.add(draft, Draws("seats"))
            if not works(draft):
                return False
    return True
