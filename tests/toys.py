"""A toy suite that keeps its scenario ids closed: one new file, and everything from the arena to the audit plays it.

Its ids would give the answer away. One tool returns a text of 20,000 characters, one raises when it is told to.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.base import Episode, Json, Outcome, Refusal, Scenario, Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import EpisodeOver, InvalidArgument, UnknownScenario
from releaseops_mcp.rewards.base import Score, Scorer, Step, StepReward, Tally
from releaseops_mcp.rewards.registry import scorers

FAMILIES = ("f99-leak", "f99-leak-twin")
LONG_TEXT = "".join(f"{number:04d} nothing to see\n" for number in range(1_000))
"""20,000 characters."""
SCENARIO = "toy/f99-leak/seed-1"

READ = ToolSpec(
    name="read_diff", title="Read", description="Read the long diff.", read_only=True, destructive=False, parameters=()
)
DECIDE = ToolSpec(
    name="decide",
    title="Decide",
    description="Ship or block.",
    parameters=(Parameter(name="verdict", type="string", description="What to do.", enum=("ship", "block")),),
)
EXPLODE = ToolSpec(name="explode", title="Explode", description="Fail, as no suite should.")


class ToyEpisode(Episode):
    """Read as often as you like, then decide once."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._reads = 0

    def observe(self) -> Json:
        return {"reads": self._reads, "decided": self.done}

    def call(self, tool: str, arguments: Json) -> Outcome:
        if tool == EXPLODE.name:
            self._reads = -1
            raise RuntimeError("told to")
        if self.done:
            return Outcome(refusal=Refusal("episode_over", "it is decided", EpisodeOver))
        if tool == READ.name:
            self._reads += 1
            return Outcome({"diff": LONG_TEXT, "pages": 1})
        if arguments.get("verdict") not in ("ship", "block"):
            return Outcome(refusal=Refusal("no_verdict", "verdict must be ship or block", InvalidArgument))
        self.done, self.terminal_reason = True, "decided"
        return Outcome({"verdict": arguments["verdict"]})

    def close(self) -> None:
        self.done = True

    @property
    def world_hash(self) -> str:
        return canonical.digest(self._scenario.model_dump())

    def truth(self) -> Json:
        return {"answer": "ship" if self._scenario.family.endswith("-twin") else "block"}


class Toy(Suite):
    """The suite."""

    name = "toy"
    version = "1.0.0"
    title = "Toy"
    open_ids = False
    tools = (READ, DECIDE, EXPLODE)
    error_codes: Mapping[str, type] = {"episode_over": EpisodeOver, "no_verdict": InvalidArgument}
    families = FAMILIES
    default_scenario = SCENARIO
    policy = "Block what leaks."
    briefing = "Read the diff, then decide."

    def parse(self, scenario_id: str) -> Scenario:
        match = re.fullmatch(r"toy/(f99-leak(?:-twin)?)/seed-(\d+)", scenario_id)
        if match is None:
            raise UnknownScenario("no such toy")
        return Scenario(id=scenario_id, suite="toy", family=match[1], level="plain", seed=int(match[2]))

    def begin(self, scenario: Scenario) -> ToyEpisode:
        return ToyEpisode(scenario)

    def grid(self, seeds: range) -> Iterator[str]:
        return (f"toy/{family}/seed-{seed}" for family in FAMILIES for seed in seeds)

    def splits(self) -> Mapping[str, tuple[str, ...]]:
        return {"pair": tuple(self.grid(range(1)))}


class ToyTally(Tally):
    """1 for the right verdict, -1 for the wrong one, a little less for each reading."""

    def __init__(self, truth: Json) -> None:
        self._answer = truth["answer"]
        self._total = 0.0
        self._reads = 0

    def add(self, step: Step) -> StepReward:
        earned = 0.0
        if step.error is None and step.tool == READ.name:
            self._reads += 1
            earned = -0.1
        elif step.error is None and step.tool == DECIDE.name:
            earned = 1.0 if step.arguments["verdict"] == self._answer else -1.0
        self._total += earned
        return StepReward(earned, {"answer": self._answer})

    def score(self) -> Score:
        return Score("toy", "1.0.0", self._total, {"total": self._total}, {"reads": self._reads})

    def report(self) -> Json:
        return asdict(self.score())


class ToyScorer(Scorer):
    """Scores the toy."""

    suite = "toy"
    reward_id = "toy"
    version = "1.0.0"

    def tally(self, truth: Json, first_observation: Json) -> ToyTally:
        return ToyTally(truth)


TOY = Toy()
TOY_SCORER = ToyScorer()


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the toy among the installed suites and scorers, as a file in their folders would."""
    monkeypatch.setitem(suites(), TOY.name, TOY)
    monkeypatch.setitem(scorers(), TOY.name, TOY_SCORER)
