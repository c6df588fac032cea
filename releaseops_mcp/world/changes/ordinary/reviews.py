"""Those who must have approved the head; now and then somebody else, or a bot, left a remark."""

from releaseops_mcp.world.changes.approvers import choose
from releaseops_mcp.world.changes.draft import Draft, ReviewDraft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.draws import Draws

REMARKS = ("Please keep the name of the key.", "Nice, thanks.", "I would have split this, but fine.", "")


def add(draft: Draft, draws: Draws) -> None:
    """Let the able approve the head, half an hour to six hours one after the other."""
    draft.approvers = choose(draft, draws.child("people"))
    others = [person.id for person in draft.org.people if person.id not in draft.approvers]
    head = len(draft.commits) - 1
    minute = draft.head.minute
    remark, other = draws.chance(0.3), draws.choice(others or [""])
    if remark and other:
        draft.reviews.append(ReviewDraft(other, "COMMENTED", head, minute + 20, draws.choice(REMARKS)))
    for person in draft.approvers:
        minute += draws.integer(30, 360)
        draft.reviews.append(ReviewDraft(person, "APPROVED", head, minute, draws.choice(REMARKS)))


ORDINARY = Ordinary(name="reviews", order=20, requests=("merge_change",), add=add)
