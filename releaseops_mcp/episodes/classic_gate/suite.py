"""The suite `classic-gate`: its ids, its splits, and how an episode begins."""

import re
from collections.abc import Iterator, Mapping

from releaseops_mcp.episodes.base import Scenario, Suite
from releaseops_mcp.episodes.classic_gate import prose
from releaseops_mcp.episodes.classic_gate.episode import ClassicGateEpisode
from releaseops_mcp.episodes.classic_gate.families import FAMILIES, GREEN_CI
from releaseops_mcp.episodes.classic_gate.generation import generate
from releaseops_mcp.episodes.classic_gate.refusals import ERROR_CODES, shown
from releaseops_mcp.episodes.classic_gate.splits import draw_splits, scenario_id
from releaseops_mcp.episodes.classic_gate.tools import TOOLS
from releaseops_mcp.errors import UnknownScenario

USUAL_DIFFICULTY = "medium"
_ID = re.compile(
    rf"classic-gate/(?P<family>{'|'.join(FAMILIES)})/(?P<level>[A-Za-z0-9._~%-]{{1,64}})"
    r"/seed-(?P<seed>0|-?[1-9][0-9]{0,17})"
)


class ClassicGate(Suite):
    """The original release arena."""

    name = "classic-gate"
    version = "1.0.0"
    title = "Classic gate: supervise a release"
    open_ids = True
    tools = TOOLS
    error_codes = ERROR_CODES
    families = FAMILIES
    default_scenario = scenario_id(GREEN_CI, USUAL_DIFFICULTY, 42)
    policy = prose.POLICY
    briefing = prose.BRIEFING

    def parse(self, scenario_id: str) -> Scenario:
        """Return the scenario of `classic-gate/<family>/<difficulty>/seed-<n>`; raises UnknownScenario."""
        match = _ID.fullmatch(scenario_id)
        if match is None:
            raise UnknownScenario(
                f"no scenario {shown(scenario_id)}: name one as classic-gate/<family>/<difficulty>/seed-<n>, where "
                f"<family> is one of {', '.join(FAMILIES)}, <difficulty> is low, medium or any other word, and <n> is "
                "a whole number of at most 18 digits without leading zeros"
            )
        family, level, seed = match.group("family", "level", "seed")
        return Scenario(id=scenario_id, suite=self.name, family=family, level=level, seed=int(seed))

    def begin(self, scenario: Scenario) -> ClassicGateEpisode:
        """Generate the world and return a fresh episode over it."""
        return ClassicGateEpisode(generate(scenario.family, scenario.level, scenario.seed))

    def grid(self, seeds: range) -> Iterator[str]:
        """Yield the ids of every family at medium difficulty, family by family."""
        return (scenario_id(family, USUAL_DIFFICULTY, seed) for family in FAMILIES for seed in seeds)

    def splits(self) -> Mapping[str, tuple[str, ...]]:
        """Return the original's splits: train, eval_seen, eval_unseen and eval."""
        return draw_splits()


SUITE = ClassicGate()
