"""A supervisor that reads two artefacts on every proposal, units allowing, and goes by what they show."""

from collections import Counter

from releaseops_mcp.agents.base import Brief, Play, supervisor
from releaseops_mcp.agents.scripted.gate.desk import Desk, Page
from releaseops_mcp.agents.scripted.gate.moves import SUITE, approve, block, hold, inspect, waiting
from releaseops_mcp.agents.scripted.gate.reference import read_handbook
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.gate.reading import CRASHED
from releaseops_mcp.world.policy import BLOCK

ARTEFACTS = 2
EACH = 2
"""How many pages of one artefact it reads at most."""


@supervisor("two-artefacts", suite=SUITE)
def two_artefacts(brief: Brief) -> Play:
    """Reads the two artefacts that the rules ask for first, blocks or holds what they show, and approves the rest."""
    desk = Desk()
    observation = yield from read_handbook(desk, brief.observation)
    while proposals := waiting(observation):
        desk.notice(observation)
        opened: Counter[tuple[str, str]] = Counter()
        for _ in range(min(ARTEFACTS * EACH, observation["units_left"])):
            page = _wanted(desk, proposals[0], observation, opened)
            if page is None:
                break
            opened[page[:2]] += 1
            turn = yield inspect(*page, offset=desk.offset(page))
            if turn.error != CRASHED:
                desk.take(page, turn.result, proposals[0]["id"])
            observation = turn.observation
        verdict = desk.verdict(proposals[0], observation)
        if verdict.decision == BLOCK:
            action = block(proposals[0], verdict.families[0])
        else:
            action = hold(proposals[0]) if verdict.families else approve(proposals[0])
        observation = (yield action).observation


def _wanted(desk: Desk, proposal: Json, observation: Json, opened: Counter[tuple[str, str]]) -> Page | None:
    """Return the first page that a rule asks for, of the artefacts that are open once two of them are."""
    verdict = desk.verdict(proposal, observation)
    # What a rule asks of few changes comes before what every change must keep.
    narrow_first = sorted(verdict.answers, key=lambda each: not each[0].scope.touches)
    pages = (desk.page_for(topic) for _, answer in narrow_first for topic in answer.missing)
    fresh = (page for page in pages if page and opened[page[:2]] < EACH)
    return next((page for page in fresh if len(opened) < ARTEFACTS or page[:2] in opened), None)
