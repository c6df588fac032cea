"""An episode and its running score, in memory: what the arena logs, what an audit replays, what a bench measures."""

from dataclasses import dataclass

from releaseops_mcp.episodes.base import Episode, Json, Refusal, Scenario, Suite
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.rewards.base import Score, Step, StepReward, Tally
from releaseops_mcp.rewards.registry import scorers


@dataclass(frozen=True, slots=True)
class Judged:
    """What one call came to, with the state after it."""

    result: Json | None
    refusal: Refusal | None
    observation: Json
    done: bool
    terminal_reason: str | None
    earned: StepReward


class Simulation:
    """One play of one scenario, scored as it goes."""

    def __init__(self, suite: Suite, scenario: Scenario) -> None:
        self.suite = suite
        self.scenario = scenario
        self.episode: Episode = suite.begin(scenario)
        self.first_observation = self.episode.observe()
        self._tools = frozenset(tool.name for tool in suite.tools)
        self.tally: Tally = scorers()[suite.name].tally(self.episode.truth(), self.first_observation)

    @classmethod
    def of(cls, scenario_id: str) -> "Simulation":
        """Begin the scenario of an id; raises UnknownScenario."""
        suite = suite_of(scenario_id)
        return cls(suite, suite.parse(scenario_id))

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.episode.done

    def call(self, tool: str, arguments: Json) -> Judged:
        """Judge one call; `arguments` is plain JSON data (see `canonical.plain`)."""
        if tool in self._tools:
            outcome = self.episode.call(tool, arguments)
            result, refusal = outcome.result, outcome.refusal
        else:
            result, refusal = None, unknown_tool(tool, self.suite)
        observation = self.episode.observe()
        done, reason = self.episode.done, self.episode.terminal_reason
        error = refusal.code if refusal else None
        earned = self.tally.add(Step(tool, arguments, error, result, observation, done, reason))
        return Judged(result, refusal, observation, done, reason, earned)

    def score(self) -> Score:
        """Return the figure so far."""
        return self.tally.score()


def unknown_tool(tool: str, suite: Suite) -> Refusal:
    """Return the refusal, the same in every suite and free of charge, of a tool that the suite does not have."""
    known = ", ".join(spec.name for spec in suite.tools)
    return Refusal("unknown_tool", f"{suite.name} has no tool {tool[:80]!r}: call one of {known}", InvalidArgument)
