"""The release checklist of a ship request: a ticket that says what was done."""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.state import Ticket, TicketEvent


def add(draft: Draft, draws: Draws) -> None:
    """Open the checklist a day before the release process."""
    minute = draft.minute - draws.integer(8, 30) * 60
    owner = draws.choice(draft.reviewers()).id
    draft.title = f"Release {draft.service.name}"
    ticket = Ticket(
        id=draft.new_id("ticket"),
        title=f"Release checklist of {draft.service.name}",
        state="open",
        body="Changes listed, build kept, runbook linked.",
        component=draft.service.name,
        reporter=owner,
        minute=minute,
        events=(TicketEvent("assigned", owner, minute + 3),),
    )
    draft.tickets.append(ticket)
    draft.refs.append(ticket.id)


ORDINARY = Ordinary(name="checklist", order=10, requests=("ship_release_candidate",), add=add)
