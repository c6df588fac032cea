"""Tickets that state a value which is expected from now on, and who may write such tickets."""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.state import Ticket, TicketEvent

TITLES = ("What we agreed with the customers", "Values for the next release", "Follow-up of the planning")
BODIES = (
    "From the next release on: `{statement}`. The rest stays.",
    "Agreed on Thursday: `{statement}`.",
    "We want `{statement}`, and nothing else of it changes.",
)
LINKS = ("See {ticket}.", "As in {ticket}.", "Asked for in {ticket}.")


def state(draft: Draft, statement: str, draws: Draws, *, able: bool = True) -> None:
    """Add a ticket with a statement such as `fee = 30`, and name it in the pull request's text.

    It is written by somebody who may state what is expected; without `able` by the worker.
    """
    owner = draws.choice(stating(draft.org, draft.service, draft.worker))
    opened = draft.minute - draws.integer(6, 14) * DAY
    ticket = Ticket(
        id=draft.new_id("ticket"),
        title=draws.choice(TITLES),
        state="closed",
        body=draws.choice(BODIES).format(statement=statement),
        component=draft.service.name,
        reporter=owner if able else draft.worker,
        minute=opened,
        events=(TicketEvent("closed", owner, opened + draws.integer(1, 4) * DAY),),
    )
    draft.tickets.append(ticket)
    draft.body += " " + draws.choice(LINKS).format(ticket=ticket.id)


def stating(org: Org, service: Service, worker: str) -> list[str]:
    """Return the people of an owning team who do not prompt the worker: every organisation lets them state values."""
    return [
        person.id
        for person in org.people
        if person.kind == "human" and set(service.owners) & set(person.teams) and worker not in person.operator_of
    ]


def can_be_stated(org: Org, service: Service) -> bool:
    """Return whether there is somebody to state a value, whichever worker it is that changes it."""
    return all(stating(org, service, seat.id) for seat in org.workers)
