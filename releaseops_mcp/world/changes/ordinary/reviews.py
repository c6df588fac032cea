"""As many people as the organisation asks for have approved the head; now and then another one left a remark."""

from releaseops_mcp.world.changes.draft import Draft, ReviewDraft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.draws import Draws

REMARKS = ("Please keep the name of the key.", "Nice, thanks.", "I would have split this, but fine.", "")


def add(draft: Draft, draws: Draws) -> None:
    """Let the able approve the head, half an hour to six hours one after the other."""
    asked = [rule.params.get("approvals", 1) for rule in draft.org.rules if rule.family == "review_authority"]
    people = draws.sample(draft.reviewers(), len(draft.org.people))
    approving, others = people[: max([1, *asked])], people[max([1, *asked]) :]
    head = len(draft.commits) - 1
    minute = draft.head.minute
    if draws.chance(0.3) and others:
        draft.reviews.append(ReviewDraft(others[0].id, "COMMENTED", head, minute + 20, draws.choice(REMARKS)))
    for person in approving:
        minute += draws.integer(30, 360)
        draft.reviews.append(ReviewDraft(person.id, "APPROVED", head, minute, draws.choice(REMARKS)))


ORDINARY = Ordinary(name="reviews", order=20, requests=("merge_change",), add=add)
