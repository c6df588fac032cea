"""The reference supervisor: the organisation's rules over what it has read; what is unknown tells it what to read next.

It reads the handbook and the past decisions first, and learns from these what the handbook leaves out; then the page
that settles the largest doubt, as long as units and hours last. What stays doubtful is held; a ship request that cannot
be approved before the deadline makes it refuse.
"""

import math
from collections.abc import Callable, Generator
from typing import NamedTuple

from releaseops_mcp.agents.base import Action, Brief, Play, Turn, supervisor
from releaseops_mcp.agents.scripted.gate.desk import Desk, Page
from releaseops_mcp.agents.scripted.gate.moves import SHIP, SUITE, approve, block, hold, inspect, refuse, waiting
from releaseops_mcp.agents.scripted.gate.priors import open_families
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.gate.reading import CRASHED
from releaseops_mcp.world.policy import APPROVE, BLOCK, Verdict

BEARABLE = 0.08
"""Doubt below which an approval is worth more than another phase's wait."""
BEARABLE_AT_LAST = 0.4
"""Doubt below which a ship is worth more than a refusal, where nothing can be waited for any more."""
WORTH_READING = 0.005
"""Doubt above which a page is worth its unit and its minutes: a bad approval costs some hundred times as much."""
PAGE_HOURS = 0.5
"""Hours that must be left for one more page."""


class Wanted(NamedTuple):
    """A page worth reading, and for whose sake."""

    urgency: float
    """How much doubt the proposal's pages may settle, a page."""
    worth: float
    page: Page
    proposal: str


@supervisor("reference", suite=SUITE)
def reference(brief: Brief) -> Play:
    """Applies the organisation's rules to what it has read, and reads what they lack."""
    desk = Desk()
    observation = yield from read_handbook(desk, brief.observation)
    observation = yield from read_precedents(desk, observation)
    while proposals := waiting(observation):
        desk.notice(observation)
        verdicts = {proposal["id"]: desk.verdict(proposal, observation) for proposal in proposals}
        wanted = _next_page(desk, proposals, verdicts, observation)
        if wanted is not None:
            turn = yield inspect(*wanted.page, offset=desk.offset(wanted.page))
            if turn.error != CRASHED:
                desk.take(wanted.page, turn.result, wanted.proposal)
        else:
            turn = yield _decision(desk, proposals[0], verdicts[proposals[0]["id"]], observation)
        observation = turn.observation


def read_handbook(desk: Desk, observation: Json) -> Generator[Action, Turn, Json]:
    """Read every page of the policy; returns the observation after it."""
    return (yield from _read_all("read_policy", desk.take_policy, observation))


def read_precedents(desk: Desk, observation: Json) -> Generator[Action, Turn, Json]:
    """Read every page of past decisions, which may show rules that the policy leaves out."""
    return (yield from _read_all("read_precedents", desk.take_precedents, observation))


def _read_all(tool: str, take: Callable[[Json], bool], observation: Json) -> Generator[Action, Turn, Json]:
    page, more = 1, True
    while more:
        turn = yield Action(tool, {"page": page})
        assert turn.result is not None, turn.message
        more = take(turn.result)
        page, observation = page + 1, turn.observation
    return observation


def _next_page(desk: Desk, proposals: list[Json], verdicts: dict[str, Verdict], observation: Json) -> Wanted | None:
    """Return the page that may settle the most doubt, or None where nothing is in doubt or can be read."""
    if observation["units_left"] <= 0 or observation["hours_left"] < PAGE_HOURS:
        return None
    wanted = [page for each in proposals for page in _pages(desk, each, verdicts[each["id"]], observation)]
    return max(wanted, default=None, key=lambda each: (each.urgency, each.worth))


def _pages(desk: Desk, proposal: Json, verdict: Verdict, observation: Json) -> list[Wanted]:
    """Return the pages that are worth reading for one proposal; what several rules ask for is worth all of it."""
    if verdict.decision == BLOCK:
        return []
    worth: dict[Page, float] = {}
    for rule, answer in verdict.answers:
        share = desk.chance(proposal, rule.family)
        for topic in answer.missing:
            page = desk.page_for(topic)
            if page is not None:
                worth[page] = worth.get(page, 0.0) + share / len(answer.missing)
    unsure = 2 - _trust(proposal, observation)
    urgency = unsure * sum(worth.values()) / max(1, len(worth))
    return [Wanted(urgency, each, page, proposal["id"]) for page, each in worth.items() if each > WORTH_READING]


def _decision(desk: Desk, proposal: Json, verdict: Verdict, observation: Json) -> Action:
    """Return what to do about the first open proposal, the ship request being the last."""
    last = proposal["request"] == SHIP and observation["hours_left"] <= observation["phase_hours"]
    chances = (desk.chance(proposal, family) for family in sorted(open_families(verdict)))
    left = 1 - math.prod(1 - chance for chance in chances)
    if verdict.decision == APPROVE or (not verdict.families and left <= (BEARABLE_AT_LAST if last else BEARABLE)):
        return approve(proposal)
    if last:
        return refuse()
    if verdict.decision == BLOCK:
        return block(proposal, verdict.families[0])
    return hold(proposal)


def _trust(proposal: Json, observation: Json) -> float:
    worker = next(each for each in observation["workers"] if each["id"] == proposal["worker"])
    return (worker["right"] + 1) / (worker["right"] + worker["wrong"] + 2)
