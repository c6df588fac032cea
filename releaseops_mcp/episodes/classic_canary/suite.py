"""The suite `classic-canary` and its scenario ids."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from releaseops_mcp.episodes.base import Episode, Scenario, Suite
from releaseops_mcp.episodes.classic_canary.episode import CanaryEpisode
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.episodes.classic_canary.texts import BRIEFING, POLICY
from releaseops_mcp.episodes.classic_canary.tools import TOOLS
from releaseops_mcp.errors import InvalidArgument, UnknownScenario

NAME = "classic-canary"
SWEEP_SEEDS = (0, 3, 5, 7, 11, 13, 19, 23)
"""The seeds over which the original published its policies' figures."""

_ID = re.compile(rf"{NAME}/(?P<task>{'|'.join(TASKS)})/seed-(?P<seed>0|-?[1-9][0-9]{{0,17}})")


def scenario_id(task: str, seed: int) -> str:
    """Return the canonical id of one world."""
    return f"{NAME}/{task}/seed-{seed}"


class ClassicCanary(Suite):
    """Six rollout tasks; the seed shifts their constants."""

    name = NAME
    version = "1.0.0"
    title = "Classic canary: rollout decisions on six scripted kinds of telemetry"
    open_ids = True
    tools = TOOLS
    error_codes = MappingProxyType({"invalid_argument": InvalidArgument, "unknown_tool": InvalidArgument})
    families = tuple(TASKS)
    default_scenario = scenario_id("easy", 0)
    policy = POLICY
    briefing = BRIEFING

    def parse(self, scenario_id: str) -> Scenario:
        """Return the scenario of a canonical id; raises UnknownScenario showing the form and the tasks."""
        match = _ID.fullmatch(scenario_id)
        if match is None:
            raise UnknownScenario(
                f"no scenario {scenario_id[:120]!a}: the form is {NAME}/<task>/seed-<n>, with a task out of "
                f"{', '.join(TASKS)} and a decimal integer n of at most 18 digits, such as {self.default_scenario}"
            )
        task = match["task"]
        level = TASKS[task].difficulty
        return Scenario(id=scenario_id, suite=NAME, family=task, level=level, seed=int(match["seed"]))

    def begin(self, scenario: Scenario) -> Episode:
        """Return a fresh episode of a scenario."""
        return CanaryEpisode(scenario.family, scenario.seed)

    def grid(self, seeds: range) -> Iterator[str]:
        """Yield the ids of all tasks for `seeds`, task by task."""
        return (scenario_id(task, seed) for task in TASKS for seed in seeds)

    def splits(self) -> Mapping[str, tuple[str, ...]]:
        """Return the published worlds, and the original's seed sweep."""
        return {
            "published": tuple(scenario_id(task, 0) for task in TASKS),
            "sweep": tuple(scenario_id(task, seed) for task in TASKS for seed in SWEEP_SEEDS),
        }


SUITE = ClassicCanary()
