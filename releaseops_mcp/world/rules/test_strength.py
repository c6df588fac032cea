"""Tests may not get weaker: their assertions, the goldens that they read, what new ones exercise, what they accept.

A ticket of somebody who may say so settles a new expected value; nothing settles a test that checks nothing.
"""

from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.ticket import TicketRecord
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, RuleFamily, settings, unknown
from releaseops_mcp.world.rules.strength import assertions, doubles, goldens, special_cases
from releaseops_mcp.world.rules.strength.demand import Demand, Strength
from releaseops_mcp.world.rules.strength.stated import is_stated, tickets

CHECKS = {
    "assertions": assertions.find,
    "goldens": goldens.find,
    "doubles": doubles.find,
    "special_cases": special_cases.find,
}


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a test got weaker, or expects something else that no ticket states."""
    wanted: Strength = settings(rule, Strength)
    patch = case.topic("patch", "pr_")
    found = [CHECKS[check](wanted, case, view) for check in wanted.checks]
    demands = [demand for each in found for demand in each.demands]
    missing = tuple(dict.fromkeys(topic for each in found for topic in each.missing))
    if demands:
        return _answered(demands, missing, wanted, case, view)
    if missing or not view.known(patch):
        return unknown(*(missing or (patch,)))
    return SATISFIED


def _answered(demands: list[Demand], missing: tuple[Topic, ...], wanted: Strength, case: Case, view: View) -> Answer:
    """Return the answer where something is to be answered for."""
    patch = case.topic("patch", "pr_")
    topics = tickets(case, view)
    open_ones = [demand for demand in demands if not is_stated(demand, topics, wanted, case, view)]
    unread = [topic for topic in topics if not view.known(topic)]
    hopeless = [demand for demand in open_ones if not (demand.names and demand.values)]
    if not hopeless and open_ones and not view.records(patch, PatchHead):
        return unknown(patch)
    if not hopeless and open_ones and unread:
        return unknown(*unread)
    if not open_ones:
        rest = missing or (() if view.known(patch) else (patch,))
        return unknown(*rest) if rest else SATISFIED
    shown = (source for demand in open_ones for source in demand.grounds)
    asked = [] if hopeless else topics
    said = (source for topic in asked for source in view.sources(topic, view.records(topic, TicketRecord)))
    return Answer("violated", tuple(dict.fromkeys((*shown, *said))))


FAMILY = RuleFamily(
    name="test_strength",
    summary="A change may not make a test check less, or expect something else that nobody asked for.",
    judge=judge,
    params=Strength,
)
