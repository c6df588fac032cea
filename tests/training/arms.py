"""A two-armed suite: pull left for nothing or right for 1; with it a small model, and a log in which both were pulled.

Short enough that a model learns the better arm in a few steps: the one place where learning itself is asserted.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import pytest
import torch

from releaseops_mcp import canonical
from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.base import Episode, Json, Outcome, Refusal, Scenario, Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import EpisodeOver, InvalidArgument, UnknownScenario
from releaseops_mcp.rewards.base import Score, Scorer, Step, StepReward, Tally
from releaseops_mcp.rewards.registry import scorers
from releaseops_mcp.settings import Settings, open_arena
from training.conversation import opening
from training.datasets.schemas import tool_schemas
from training.models.loading import Loaded
from training.models.tiny import TinySize, tiny_model, tiny_tokenizer
from training.sampling import Sampler

ARMS = ("left", "right")
PULL = ToolSpec(
    name="pull",
    title="Pull",
    description="Pull an arm.",
    parameters=(Parameter(name="arm", type="string", description="Which one.", enum=ARMS),),
)
SIZE = TinySize(hidden=32, layers=2, heads=2, vocabulary=512, context=512, scenarios=1)


class Bandit(Episode):
    """One pull."""

    def observe(self) -> Json:
        return {"pulled": self.done}

    def call(self, tool: str, arguments: Json) -> Outcome:
        if self.done:
            return Outcome(refusal=Refusal("episode_over", "it is pulled", EpisodeOver))
        if arguments.get("arm") not in ARMS:
            return Outcome(refusal=Refusal("no_arm", "arm must be left or right", InvalidArgument))
        self.done, self.terminal_reason = True, "pulled"
        return Outcome({"pulled": arguments["arm"]})

    def close(self) -> None:
        self.done = True

    @property
    def world_hash(self) -> str:
        return canonical.digest("bandit")

    def truth(self) -> Json:
        return {"worth": {"left": 0.0, "right": 1.0}}


class Arms(Suite):
    """The suite; seeds from 100 on are held out."""

    name = "arms"
    version = "1.0.0"
    title = "Arms"
    open_ids = True
    tools = (PULL,)
    error_codes: Mapping[str, type] = {"episode_over": EpisodeOver, "no_arm": InvalidArgument}
    families = ("bandit",)
    default_scenario = "arms/bandit/seed-0"
    policy = ""
    briefing = "Pull."

    def parse(self, scenario_id: str) -> Scenario:
        match = re.fullmatch(r"arms/bandit/seed-(\d+)", scenario_id)
        if match is None:
            raise UnknownScenario("no such bandit")
        return Scenario(id=scenario_id, suite="arms", family="bandit", level="plain", seed=int(match[1]))

    def begin(self, scenario: Scenario) -> Bandit:
        return Bandit()

    def grid(self, seeds: range) -> Iterator[str]:
        return (f"arms/bandit/seed-{seed}" for seed in seeds)

    def splits(self) -> Mapping[str, tuple[str, ...]]:
        return {"train": tuple(self.grid(range(100))), "test": tuple(self.grid(range(100, 110)))}


class ArmsTally(Tally):
    """What the pulled arm is worth."""

    def __init__(self, worth: Mapping[str, float]) -> None:
        self._worth = worth
        self._total = 0.0

    def add(self, step: Step) -> StepReward:
        earned = self._worth[step.arguments["arm"]] if step.error is None else 0.0
        self._total += earned
        return StepReward(earned, {})

    def score(self) -> Score:
        return Score("arms", "1.0.0", self._total, {"arm": self._total}, {})

    def report(self) -> Json:
        return asdict(self.score())


class ArmsScorer(Scorer):
    """Scores a pull; a planted bug makes both arms worth the same."""

    suite = "arms"
    reward_id = "arms"
    version = "1.0.0"

    def __init__(self, *, broken: bool = False) -> None:
        self._broken = broken

    def tally(self, truth: Json, first_observation: Json) -> ArmsTally:
        return ArmsTally(dict.fromkeys(ARMS, 0.5) if self._broken else truth["worth"])


SUITE = Arms()


def install(monkeypatch: pytest.MonkeyPatch, *, broken: bool = False) -> None:
    """Put the suite and its reward among the installed ones."""
    monkeypatch.setitem(suites(), SUITE.name, SUITE)
    monkeypatch.setitem(scorers(), SUITE.name, ArmsScorer(broken=broken))


def build_model(folder: Path, seed: int = 0) -> Path:
    """Write an untrained model that knows the suite's words."""
    tokenizer = tiny_tokenizer((SUITE,), SIZE, seed=seed)
    tiny_model(tokenizer, SIZE, seed=seed).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def fill_log(folder: Path, episodes: int = 8) -> str:
    """Play both arms in turn, log them, and return the log's URL."""
    url = f"sqlite:///{folder / 'arms.sqlite3'}"
    arena = open_arena(Settings(database_url=url))
    for seed in range(episodes):
        started = arena.start(f"arms/bandit/seed-{seed}")
        arena.call(started.episode_id, "pull", {"arm": ARMS[seed % 2]})
    arena.close()
    return url


def chance_of(loaded: Loaded, arm: str) -> float:
    """Return the probability that a model pulls an arm, exactly, from the tokens of that call."""
    tokenizer = loaded.tokenizer
    prompt = Sampler(loaded.model, tokenizer).prompt(opening(SUITE, {"pulled": False}), tool_schemas(SUITE))
    text = f'<tool_call>{{"name": "pull", "arguments": {{"arm": "{arm}"}}}}</tool_call><|im_end|>'
    call = tokenizer(text, add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        logits = loaded.model(input_ids=torch.tensor([[*prompt, *call]])).logits[0, len(prompt) - 1 : -1]
    chosen = torch.log_softmax(logits.float(), -1)[torch.arange(len(call)), torch.tensor(call)]
    return float(chosen.sum().exp())
