"""The suite `gate`: its ids, its splits, and how an episode begins."""

from collections.abc import Iterator, Mapping

from releaseops_mcp.episodes.base import Scenario, Suite
from releaseops_mcp.episodes.gate import prose
from releaseops_mcp.episodes.gate.episode import GateEpisode
from releaseops_mcp.episodes.gate.refusals import ERROR_CODES
from releaseops_mcp.episodes.gate.splits import draw_splits, names
from releaseops_mcp.episodes.gate.tools import TOOLS
from releaseops_mcp.world import scenario as scenarios
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import usual_orgs

GROUPS = ("A", "B", "C", "D", "E", "F")
USUAL_LEVEL = 3


class Gate(Suite):
    """Release supervision in a realistic organisation."""

    name = "gate"
    version = "1.0.0"
    title = "Gate: supervise a release in a realistic organisation"
    open_ids = False
    tools = TOOLS
    error_codes = ERROR_CODES
    families = (*GROUPS, scenarios.CLEAN)
    default_scenario = "gate/cedarline/k01-skipped-test/level-1/seed-0"
    policy = prose.POLICY
    briefing = prose.BRIEFING

    def parse(self, scenario_id: str) -> Scenario:
        """Return the scenario of `gate/<org>/<kind>[-twin]/level-<n>/seed-<n>`; raises UnknownScenario."""
        name = scenarios.parse(scenario_id)
        family = scenarios.CLEAN if name.kind == scenarios.CLEAN else kinds()[name.kind].group
        return Scenario(id=name.id, suite=self.name, family=family, level=f"level-{name.level}", seed=name.seed)

    def begin(self, scenario: Scenario) -> GateEpisode:
        """Generate the world and return a fresh episode over it."""
        return GateEpisode(generate(scenarios.parse(scenario.id)))

    def grid(self, seeds: range) -> Iterator[str]:
        """Yield the ids of every kind with its twin at the usual level; of one's own organisations where some are."""
        return (name.id for name in names(seeds, (USUAL_LEVEL,), usual_orgs()))

    def splits(self) -> Mapping[str, tuple[str, ...]]:
        """Return the scenario lists: train, dev, pairs, stream, and what is held out (see `splits`)."""
        return draw_splits()


SUITE = Gate()
