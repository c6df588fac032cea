"""No blocker of the service may be open; a blocker counts until one of the owners lifts or closes it.

What a label means is the organisation's own matter: its handbook says which of them block.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from releaseops_mcp.world.artefacts.ticket import TicketEventRecord, TicketRecord
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated


class Blockers(Params):
    """Settings of the family."""

    together: tuple[tuple[str, str], ...] = ()
    """Pairs of labels that block where a ticket has both, though neither does by itself."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What makes a bug a blocker."""

    alone: frozenset[str]
    together: tuple[tuple[str, str], ...]

    def on(self, labels: Iterable[str]) -> bool:
        """Return whether these labels block."""
        present = set(labels)
        return not self.alone.isdisjoint(present) or any(present.issuperset(pair) for pair in self.together)


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a ticket that the proposal names is a blocker of its service that no owner has settled."""
    topics = [Topic("ticket", ref) for ref in case.refs if ref.startswith("ticket_")]
    wanted: Blockers = settings(rule, Blockers)
    alone = frozenset(name for name, label in case.handbook.labels.items() if label.means == "blocker")
    blocking = Marks(alone, wanted.together)
    for topic in topics:
        tickets = view.records(topic, TicketRecord)
        events = view.records(topic, TicketEventRecord)
        if any(_blocks(ticket, events, blocking, case) for ticket in tickets):
            return violated(view, topic, tickets)
    missing = [topic for topic in topics if not view.known(topic)]
    return unknown(*missing) if missing else SATISFIED


def _blocks(ticket: TicketRecord, events: tuple[TicketEventRecord, ...], blocking: Marks, case: Case) -> bool:
    ever = blocking.on({*ticket.labels, *(event.label for event in events)})
    if ticket.component != case.service.name or not ever:
        return False
    if ticket.state == "closed":
        return not _settled(events, "closed", case)
    return blocking.on(ticket.labels) or not _settled(events, "unlabeled", case)


def _settled(events: tuple[TicketEventRecord, ...], word: str, case: Case) -> bool:
    """Return whether the last event of this sort is by an owner who does not prompt the worker."""
    actors = [event.actor for event in events if event.event == word]
    person = case.handbook.person(actors[-1]) if actors else None
    if person is None or person.kind != "human":
        return False
    return not set(case.service.owners).isdisjoint(person.teams) and case.worker not in person.operator_of


FAMILY = RuleFamily(
    name="blocker_bugs",
    summary="No blocker bug of the service is open, or was settled by others than its owners.",
    judge=judge,
    params=Blockers,
)
