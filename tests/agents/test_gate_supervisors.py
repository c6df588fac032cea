"""What the gate's supervisors read: gold the decisive pages, two artefacts no more than that."""

from collections import Counter

import pytest

from releaseops_mcp.agents.base import Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.scripted.gate.clairvoyant import decisive_pages, gold
from releaseops_mcp.agents.scripted.gate.desk import RELAPSE, Desk
from releaseops_mcp.agents.scripted.gate.moves import waiting
from releaseops_mcp.agents.scripted.gate.reference import read_handbook
from releaseops_mcp.episodes.gate.suite import SUITE
from releaseops_mcp.rewards.gate.account import INSPECTED
from releaseops_mcp.world.generation import generate
from tests.world.cases import scenarios

NAMES = [each for name in scenarios(70, homes=2) for each in (name, name.other)]


def played(name, policy):
    """Return the calls of one episode, each with the observation before it."""
    episode = SUITE.begin(SUITE.parse(name.id))
    calls = []

    def apply(action):
        calls.append((action, episode.observe()))
        outcome = episode.call(action.tool, action.arguments)
        error = outcome.refusal.code if outcome.refusal else None
        return Turn(outcome.result, error, episode.observe(), episode.done, episode.terminal_reason)

    drive(policy, Brief(episode.observe(), SUITE.tools, 0), apply)
    return calls


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name.id)
def test_decisive_pages_hold_the_grounds_of_a_fault_and_something_of_a_twin(name):
    world = generate(name)
    for lineage in world.lineages:
        version = lineage.versions[0]
        pages = decisive_pages(world, lineage.id, 1, lineage.appears)
        grounds = world.verdict(lineage, version, lineage.appears).grounds
        assert set(grounds) <= set(pages)
        assert bool(pages) == (not lineage.decoy or bool(grounds))


def test_gold_pays_for_the_pages_of_a_twin_too():
    twin = next(name for name in NAMES if name.twin)
    assert any(tool in INSPECTED for tool, _ in gold(generate(twin)).calls)


def test_two_artefacts_reads_two_pages_of_two_artefacts_and_decides():
    for name in NAMES:
        since = Counter()
        for action, _ in played(name, find_supervisor("two-artefacts", "gate").policy):
            if action.tool in INSPECTED:
                since[action.tool, action.arguments[INSPECTED[action.tool]]] += 1
            elif since and "proposal_id" in action.arguments:
                assert len(since) <= 2
                assert max(since.values()) <= 2
                since.clear()


def test_a_proposal_that_broke_a_rule_is_expected_to_break_it_again():
    # Given a handbook that has been read, and a proposal of which nothing has
    name = next(name for name in NAMES if name.kind == "k01-skipped-test" and not name.twin)
    desk = Desk()

    def opening(brief):
        yield from read_handbook(desk, brief.observation)

    _, seen = played(name, opening)[-1]
    proposal = waiting(seen)[0]
    before = desk.chance(proposal, "test_presence")
    # When it turns out to break a rule
    desk.broke(proposal["id"], ("test_presence",))
    # Then that rule is in doubt as long as it comes back
    assert before < RELAPSE == desk.chance(proposal, "test_presence")
