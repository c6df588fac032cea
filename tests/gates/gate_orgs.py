"""Generated organisations: each is sound, much can go wrong in it, and a release of it can be played to a good end."""

from collections.abc import Iterator

from releaseops_mcp.episodes.gate.suite import SUITE
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.levels import LEVELS
from releaseops_mcp.world.orgs.generator import draw_org, sectors
from releaseops_mcp.world.orgs.generator.drawing import LEAST_KINDS
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.orgs.validation import problems
from releaseops_mcp.world.scenario import ScenarioName
from tests.gates.gate import Gate, at_least, at_most
from tests.gates.gate_worlds import is_solvable

ORGS = 1_000
MOST_ATTEMPTS = 5.0
"""Draws an organisation may take in the mean: beyond it the likelihoods contradict each other."""


def gates() -> Iterator[Gate]:
    drawn = [draw_org(*name) for name in spread(ORGS)]
    wrong = [each.org.id for each in drawn if not is_sound(each.org)]
    yield _all("gate: generated organisations that are sound", wrong, f"at least {LEAST_KINDS} kinds each")
    mean = sum(each.attempts for each in drawn) / ORGS
    yield at_most("gate: draws an organisation takes", mean, MOST_ATTEMPTS, "in the mean", f"{ORGS:,} organisations")
    rules = {each.org.model_copy(update={"id": ""}).model_dump_json() for each in drawn}
    yield at_least("gate: different generated organisations", len(rules), ORGS, f"of {ORGS:,}")
    worlds = [world_of(each.org) for each in drawn]
    unsolved = [name.id for name in worlds if not is_solvable(name)]
    yield _all("gate: generated organisations whose release ends well", unsolved, "one world each, all levels")
    told = [name.id for name in worlds if not looks_like_its_twin(name)]
    yield _all("gate: generated organisations whose twins look alike", told, "first observations, byte for byte")


def spread(count: int) -> Iterator[tuple[str, int]]:
    """Yield as many sectors with seeds, sector by sector in turn."""
    names = tuple(sectors())
    for number in range(count):
        yield names[number % len(names)], number // len(names)


def is_sound(org: Org) -> bool:
    """Return whether validation has nothing to say, and enough kinds can be planted."""
    return not problems(org) and len(plantable(org)) >= LEAST_KINDS


def world_of(org: Org) -> ScenarioName:
    """Return one scenario of an organisation, of a kind and a level that hang on its id."""
    draws = Draws("one world", org.id)
    return ScenarioName(org.id, draws.choice(plantable(org)).name, False, draws.choice(list(LEVELS)), seed=7)


def looks_like_its_twin(name: ScenarioName) -> bool:
    """Return whether the first observations of both are the same, and their worlds are not."""
    both = [SUITE.begin(SUITE.parse(each.id)) for each in (name, name.other)]
    return both[0].observe() == both[1].observe() and both[0].world_hash != both[1].world_hash


def _all(name: str, failed: list[str], note: str) -> Gate:
    share = 100 * (1 - len(failed) / ORGS)
    return at_least(name, share, 100, "%", f"{ORGS:,}; {note}; not: {', '.join(failed[:3]) or 'none'}")
