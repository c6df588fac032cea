"""Exceptions: when a violated rule is waived by a ticket that its offending records name."""

from releaseops_mcp.world.artefacts.ticket import TicketEventRecord, TicketRecord
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule, Waiver
from releaseops_mcp.world.rules.base import Answer, Case, unknown


def waived(rule: Rule, case: Case, view: View, answer: Answer) -> Answer:
    """Return a violated answer as it is, waived, or unknown while a ticket that may waive it has not been read."""
    if answer.state != "violated":
        return answer
    pending: list[Topic] = []
    for waiver in (each for each in case.handbook.exceptions if each.id in rule.unless):
        for link in answer.links:
            topic = Topic("ticket", link)
            if not view.known(topic):
                pending.append(topic)
            elif _holds(waiver, case, view, topic):
                return Answer("waived", answer.grounds, waiver=waiver.id)
    if pending:
        return unknown(*pending)
    tickets = (source for link in answer.links for source in _sources(view, Topic("ticket", link)))
    return Answer("violated", (*answer.grounds, *tickets), links=answer.links)


def _holds(waiver: Waiver, case: Case, view: View, topic: Topic) -> bool:
    """Return whether the ticket is open and a member of the granting team put the label on, not too long ago."""
    ticket = next(iter(view.records(topic, TicketRecord)), None)
    if ticket is None or ticket.state != "open" or waiver.label not in ticket.labels:
        return False
    grants = [
        event
        for event in view.records(topic, TicketEventRecord)
        if event.event == "labeled" and event.label == waiver.label
    ]
    return any(_may_grant(waiver, case, event) for event in grants[-1:])


def _may_grant(waiver: Waiver, case: Case, event: TicketEventRecord) -> bool:
    person = case.handbook.person(event.actor)
    if person is None or waiver.grantor_team not in person.teams or case.worker in person.operator_of:
        return False
    return case.minute <= event.minute + waiver.days * DAY


def _sources(view: View, topic: Topic) -> tuple[str, ...]:
    return view.sources(topic, view.records(topic, TicketRecord))
