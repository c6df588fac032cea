"""Samples of gate worlds, and plays in them: the laboratory of the suite's own gates.

The mix is that of the dev split: every organisation, every kind that it can plant, twins included, levels 1 to 5
equally; the seeds are other ones, which no tuning has seen.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from releaseops_mcp.agents.base import Action, Brief, Supervisor, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.gate.episode import GateEpisode
from releaseops_mcp.episodes.gate.release import Release
from releaseops_mcp.episodes.gate.splits import LEVELS, names
from releaseops_mcp.episodes.gate.suite import SUITE
from releaseops_mcp.rewards.base import Score, Step
from releaseops_mcp.rewards.gate.scorer import SCORER
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.scenario import ScenarioName
from releaseops_mcp.world.world import Lineage, World

MIX = "dev mix: all organisations and kinds, twins included, levels 1 to 5 equally, seeds of its own"


@dataclass(frozen=True, slots=True)
class Played:
    """One episode of one supervisor."""

    name: ScenarioName
    score: Score
    end: str | None

    @property
    def is_right(self) -> bool:
        """Whether every decision was right and so was the end: a safe ship, or a refusal where none was to be had."""
        metrics = self.score.metrics
        ended_well = self.end == "safe_ship" or (self.end == "refused" and not metrics["shippable"])
        return ended_well and metrics["right_decisions"] == metrics["decisions"]


def play(name: ScenarioName, supervisor: Supervisor, world: World | None = None) -> Played:
    """Let a supervisor play one scenario; its world may have been made before."""
    episode = GateEpisode(world or generate(name))
    tally = SCORER.tally(episode.truth(), episode.observe())

    def apply(action: Action) -> Turn:
        outcome = episode.call(action.tool, action.arguments)
        refusal = outcome.refusal
        error, message = (refusal.code, refusal.message) if refusal else (None, "")
        seen, done, reason = episode.observe(), episode.done, episode.terminal_reason
        tally.add(Step(action.tool, action.arguments, error, outcome.result, seen, done, reason))
        return Turn(outcome.result, error, seen, done, reason, message)

    drive(supervisor.policy, Brief(episode.observe(), SUITE.tools, name.seed), apply)
    return Played(name, tally.score(), episode.terminal_reason)


def pairs(seed: int, count: int) -> Iterator[ScenarioName]:
    """Yield so many pairs of twins of the mix: every organisation and kind in turn, in an order drawn for `seed`."""
    cells = [name for name in names(range(1), levels=LEVELS[:1]) if not name.twin]
    cells = Draws("pairs of the mix", seed).sample(cells, len(cells))
    for number in range(count):
        cell, round_number = cells[number % len(cells)], number // len(cells)
        level = LEVELS[(number + round_number) % len(LEVELS)]
        for twin in (False, True):
            yield ScenarioName(cell.org, cell.kind, twin, level, seed + number)


def one_of_each(seed: int, count: int) -> Iterator[ScenarioName]:
    """Yield one of each of so many pairs, by lot: worlds that share nothing."""
    for name in pairs(seed, count):
        if not name.twin:
            yield name if Draws("one of each pair", name.pair).chance(0.5) else name.other


def worlds(wanted: Iterable[ScenarioName]) -> Iterator[World]:
    """Yield the worlds of some scenarios."""
    return map(generate, wanted)


def is_faulty(world: World, lineage: Lineage) -> bool:
    """Return whether a proposal, as it is first shown, is not to be approved."""
    return world.verdict(lineage, lineage.versions[0], lineage.appears).decision != APPROVE


def first_seen(world: World, lineage: Lineage) -> Json:
    """Return the observation in which a proposal is first shown, nothing having been spent."""
    release = Release(world)
    while release.phase < lineage.appears:
        release.next_phase()
    return release.observe()
