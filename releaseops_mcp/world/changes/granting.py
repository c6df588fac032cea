"""Who may put the label of an exception on a ticket, and who may not."""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.orgs.model import Waiver


def granting(draft: Draft, waiver: Waiver) -> tuple[list[str], list[str]]:
    """Return those whose label counts for the draft's worker, and those whose does not, never empty."""
    able = [person.id for person in draft.reviewers() if waiver.grantor_team in person.teams]
    outside = [person.id for person in draft.org.people if waiver.grantor_team not in person.teams]
    return able, outside or [draft.worker]
