"""Who approves an ordinary change: as few people as the organisation's rules ask for, of the teams that they name."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations

from releaseops_mcp.world.changes.demands import AUTHORITY, Demand, demands, met
from releaseops_mcp.world.changes.draft import Draft, ReviewDraft
from releaseops_mcp.world.draws import Draws

LATER = 17
"""Minutes after the last of the others at which one more person approves."""


def choose(draft: Draft, draws: Draws) -> tuple[str, ...]:
    """Return people whose approvals suffice for the change as it is, as few as may be; in random order."""
    asked = (rule.params.get("approvals", 1) for rule in draft.org.rules if rule.family == AUTHORITY)
    people = [person.id for person in draws.sample(draft.reviewers(), len(draft.org.people))]
    return next(_groups(draft, demands(draft), people, max([1, *asked]), ()), tuple(people))


def settle(draft: Draft, draws: Draws) -> None:
    """Let others take the places of those who approved out of habit where the change needs other approvals by now.

    Nobody who reviewed because a kind wants it is replaced; where a kind has seated everybody, nobody is.
    """
    if draft.seated or not draft.approvers:
        return
    asked = demands(draft)
    kept = {each.user for each in draft.reviews if each.state == "APPROVED"} - {*draft.approvers}
    if met(asked, {*draft.approvers, *kept}):
        return
    people = draws.sample(draft.reviewers(), len(draft.org.people))
    free = [person.id for person in people if person.id not in kept]
    chosen = next(_groups(draft, asked, free, len(draft.approvers), kept), None)
    if chosen is not None:
        _replace(draft, chosen)


def _groups(
    draft: Draft, asked: tuple[Demand, ...], people: list[str], least: int, kept: Collection[str]
) -> Iterator[tuple[str, ...]]:
    """Yield groups that suffice together with those who are kept, smaller ones first, then by how few are new."""
    for size in range(least, len(people) + 1):
        ranked = sorted(combinations(people, size), key=lambda group: len({*group} - {*draft.approvers}))
        yield from (group for group in ranked if met(asked, {*group, *kept}))


def _replace(draft: Draft, chosen: tuple[str, ...]) -> None:
    """Exchange names: whoever comes in takes the other's reviews, and the other takes what they had said."""
    gone = [person for person in draft.approvers if person not in chosen]
    fresh = [person for person in chosen if person not in draft.approvers]
    swapped = dict(zip(gone, fresh, strict=False)) | dict(zip(fresh, gone, strict=False))
    draft.reviews = [replace(each, user=swapped.get(each.user, each.user)) for each in draft.reviews]
    draft.reviews += [also for person in fresh[len(gone) :] for also in _as_the_last(draft, person)]
    draft.approvers = chosen


def _as_the_last(draft: Draft, person: str) -> list[ReviewDraft]:
    """Return the reviews of one more person: those of the last who approved, a little later."""
    last = [each.user for each in draft.reviews if each.state == "APPROVED"][-1]
    return [replace(each, user=person, minute=each.minute + LATER) for each in draft.reviews if each.user == last]
