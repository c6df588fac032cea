"""Tickets that state what is expected from now on: `name = value`, written by somebody who may say so."""

import re

from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.ticket import TicketRecord
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.rules.strength.demand import Demand, Strength

LINK = re.compile(r"ticket_\d+")
STATEMENT = re.compile(r"`(\w+) = ([^`]+)`")


def tickets(case: Case, view: View) -> list[Topic]:
    """Return the tickets that the pull request's text names."""
    heads = view.records(case.topic("patch", "pr_"), PatchHead)
    return [Topic("ticket", link) for head in heads for link in dict.fromkeys(LINK.findall(head.body))]


def is_stated(demand: Demand, topics: list[Topic], wanted: Strength, case: Case, view: View) -> bool:
    """Return whether one of the tickets says that this is what is wanted."""
    said = {
        statement
        for topic in topics
        for ticket in view.records(topic, TicketRecord)
        if _may_state(ticket.reporter, wanted, case)
        for statement in STATEMENT.findall(ticket.body)
    }
    return any((name, value) in said for name in demand.names for value in demand.values)


def _may_state(reporter: str, wanted: Strength, case: Case) -> bool:
    person = case.handbook.person(reporter)
    if person is None or person.kind != "human" or case.worker in person.operator_of or wanted.stated_by == "nobody":
        return False
    return wanted.stated_by == "anyone" or not set(case.service.owners).isdisjoint(person.teams)
