"""The suite `canary` and its scenario ids."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.scenarios import family_names
from releaseops_mcp.episodes.base import Episode, Scenario, Suite
from releaseops_mcp.episodes.canary import splits
from releaseops_mcp.episodes.canary.episode import RolloutEpisode
from releaseops_mcp.episodes.canary.texts import BRIEFING, POLICY
from releaseops_mcp.episodes.canary.tools import TOOLS
from releaseops_mcp.errors import EpisodeOver, InvalidArgument, UnknownScenario

NAME = "canary"
LEVEL = "standard"

_ID = re.compile(rf"{NAME}/(?P<family>f[0-9]{{2}}-[a-z]+(?:{TWIN})?)/seed-(?P<seed>0|[1-9][0-9]{{0,17}})")


def scenario_id(family: str, seed: int) -> str:
    """Return the operator's id of one world."""
    return f"{NAME}/{family}/seed-{seed}"


class Canary(Suite):
    """Rollouts on stochastic telemetry, by what they teach; each lesson has a twin of the opposite truth."""

    name = NAME
    version = "1.0.0"
    title = "Canary: rollout decisions on telemetry as noisy as the real thing"
    open_ids = False
    tools = TOOLS
    error_codes = MappingProxyType({"invalid_argument": InvalidArgument, "episode_over": EpisodeOver})
    families = family_names()
    default_scenario = scenario_id("f01-bigbang", 0)
    policy = POLICY
    briefing = BRIEFING

    def parse(self, scenario_id: str) -> Scenario:
        """Return the scenario of an id; raises UnknownScenario showing the form and the families."""
        match = _ID.fullmatch(scenario_id)
        if match is None or match["family"] not in self.families:
            raise UnknownScenario(
                f"no scenario {scenario_id[:120]!a}: the form is {NAME}/<family>/seed-<n>, with a family out of "
                f"{', '.join(self.families)} and a whole number n of at most 18 digits"
            )
        return Scenario(id=scenario_id, suite=NAME, family=match["family"], level=LEVEL, seed=int(match["seed"]))

    def begin(self, scenario: Scenario) -> Episode:
        """Return a fresh episode of a scenario."""
        return RolloutEpisode(scenario.family, scenario.seed)

    def grid(self, seeds: range) -> Iterator[str]:
        """Yield the ids of all families for `seeds`, family by family."""
        return (scenario_id(family, seed) for family in self.families for seed in seeds)

    def splits(self) -> Mapping[str, tuple[str, ...]]:
        """Return the development mix, and what is kept from training: the held-out worlds and those of stress."""
        seeds = {"dev": splits.DEV, "held-out": splits.HELD_OUT, "stress": splits.STRESS}
        return {name: tuple(self.grid(some)) for name, some in seeds.items()}


SUITE = Canary()
