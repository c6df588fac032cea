"""Whether the mixed suite needs judgement: every simple policy and every judge against the Bayesian reference.

Means of utility over all families, on seeds of the development mix. The single-metric policies are sifted first, on
seeds of their own, so that the best of many is not the luckiest; the last figures are of seeds that chose nobody.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.agents.base import Action, Brief, Policy, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.scripted.canary.thresholds import table
from releaseops_mcp.canary.regressions import severity
from releaseops_mcp.canary.scenarios import family_names, world_of
from releaseops_mcp.episodes.canary.splits import DEV
from releaseops_mcp.episodes.canary.suite import scenario_id
from releaseops_mcp.simulation import Simulation
from tests.gates.gate import Gate, at_least, at_most, between

Array = NDArray[np.float64]
Figure = Callable[[NDArray[np.int64]], float]
"""Of the scenarios with these numbers."""

PROCESSES = 2
SEEDS = DEV[:8]
"""Seeds of a family on which the figures are measured."""
SIEVES = ((DEV[20:21], 48), (DEV[21:24], 10))
"""Seeds on which the single-metric policies are sifted, and how many of them are left."""
REFERENCE, SUITE = "bayes", "canary"
CONSTANT = ("always-rollback", "always-hold", "always-increase-5", "always-increase-10", "always-increase-25")
DRAWS = 2_000
"""Resamples of the scenarios behind an interval."""
MIX_SEEDS = range(400)
"""Seeds of a family over which the mix itself is measured."""


@dataclass(frozen=True)
class Result:
    """What one episode came to."""

    utility: float
    bad: bool
    p_bad: float | None
    """What the supervisor last held to be the probability of a bad change."""
    right: bool
    """Whether its last diagnosis was right."""


def gates() -> Iterator[Gate]:
    yield from mix_gates()
    simple = tuple(each.name for each in supervisors_for(SUITE) if each.degenerate)
    judges = tuple(each.name for each in supervisors_for(SUITE) if not each.degenerate and each.name != REFERENCE)
    with pool() as workers:
        best = sifted(workers, [each.name for each in table()])
        results = played(workers, (REFERENCE, *simple, *judges, *best), SEEDS)
    utilities = {name: np.array([one.utility for one in each]) for name, each in results.items()}
    reference = utilities[REFERENCE]
    low, high = spread(lambda rows: float(reference[rows].mean()), len(reference))
    note = f"95 % {low:.3f} to {high:.3f}, {len(reference)} episodes"
    yield at_least("Bayes, mean utility", float(reference.mean()), 0.45, note=note)
    yield from calibration_gates(results[REFERENCE])
    for name in CONSTANT:
        yield share_of("C12", name, utilities, 0.40)
    yield share_of("C9 best of the single-metric policies:", top(utilities, best), utilities, 0.80)
    asked = [name for name in simple if name.endswith(("-answer", "-answers"))]
    yield share_of("best that asks and obeys:", top(utilities, asked), utilities, 0.80)
    others = [name for name in simple if name not in CONSTANT and name not in asked]
    yield share_of("best of the others without judgement:", top(utilities, others), utilities, 0.80)
    yield share_of("best judge:", top(utilities, judges), utilities, 1.0)


def mix_gates() -> Iterator[Gate]:
    """Measure the mix: as many bad changes as good ones, as severe as the weights of the reward suppose."""
    worlds = [world_of(family, seed) for family in family_names() for seed in MIX_SEEDS]
    bad = [world for world in worlds if world.regression.bad]
    weight = float(np.mean([severity(one.regression.risk_ratio) * one.service.value for one in bad]))
    yield between("share of bad changes", len(bad) / len(worlds), 0.47, 0.53)
    yield between("severity times value of bad changes", weight, 0.566, 0.606, note=f"{len(bad)} worlds")


def calibration_gates(results: Sequence[Result]) -> Iterator[Gate]:
    """Measure how well the reference knows what it knows."""
    said = [(one.p_bad, one.bad) for one in results if one.p_bad is not None]
    believed, bad = (np.array(column, dtype=np.float64) for column in zip(*said, strict=True))
    yield at_most("Bayes, Brier score of its last belief", float(((believed - bad) ** 2).mean()), 0.15)
    yield between("Bayes, mean belief less share of bad", float((believed - bad).mean()), -0.06, 0.06)
    sure = np.maximum(believed, 1.0 - believed) >= 0.9
    wrong = float((np.abs(believed - bad)[sure] > 0.5).mean())
    yield at_most("Bayes, share of errors where it is 90 % sure", wrong, 0.10, note=f"{int(sure.sum())} episodes")


def share_of(title: str, name: str, utilities: Mapping[str, Array], limit: float) -> Gate:
    """Return the gate of one policy's mean utility as a share of the reference's."""
    one, reference = utilities[name], utilities[REFERENCE]

    def ratio(rows: NDArray[np.int64]) -> float:
        return float(one[rows].mean() / reference[rows].mean())

    low, high = spread(ratio, len(reference))
    note = f"u {one.mean():.3f}, 95 % of the share {low:.2f} to {high:.2f}"
    value = float(one.mean() / reference.mean())
    return Gate(f"{title} {name}", value, f"below {limit:g} of Bayes", value < limit, note)


def top(utilities: Mapping[str, Array], names: Sequence[str]) -> str:
    """Return the policy with the highest mean."""
    return max(names, key=lambda name: float(utilities[name].mean()))


def spread(figure: Figure, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a figure over resampled scenarios."""
    rng = np.random.Generator(np.random.PCG64(count))
    drawn = [figure(rng.integers(count, size=count)) for _ in range(DRAWS)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def pool() -> ProcessPoolExecutor:
    """Return the processes that play."""
    return ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn"))


def sifted(workers: ProcessPoolExecutor, names: Sequence[str]) -> list[str]:
    """Return the best of many policies, after one sieve after the other."""
    for seeds, left in SIEVES:
        results = played(workers, names, seeds)
        means = {name: float(np.mean([one.utility for one in each])) for name, each in results.items()}
        names = sorted(means, key=lambda name: -means[name])[:left]
    return list(names)


def played(workers: ProcessPoolExecutor, names: Sequence[str], seeds: Sequence[int]) -> dict[str, list[Result]]:
    """Let each policy play all families at these seeds; the same scenarios in the same order."""
    scenarios = [scenario_id(family, seed) for family in family_names() for seed in seeds]
    cells = [(name, scenario) for name in names for scenario in scenarios]
    results = list(workers.map(_play, *zip(*cells, strict=True), chunksize=len(scenarios) // 2))
    count = len(scenarios)
    return {name: results[place * count : (place + 1) * count] for place, name in enumerate(names)}


def _play(name: str, scenario: str) -> Result:
    simulation = Simulation.of(scenario)

    def apply(action: Action) -> Turn:
        judged = simulation.call(action.tool, action.arguments)
        code = judged.refusal.code if judged.refusal else None
        return Turn(judged.result, code, judged.observation, judged.done, judged.terminal_reason)

    drive(_policy(name), Brief(simulation.first_observation, simulation.suite.tools, seed=0), apply)
    simulation.episode.close()
    report = simulation.tally.report()
    metrics, bad = report["metrics"], report["truth"]["bad"]
    return Result(report["total"], bad, _believed(metrics["brier"], bad), bool(metrics["diagnosis_right"]))


def _believed(brier: float | None, bad: bool) -> float | None:
    if brier is None:
        return None
    off: float = brier**0.5
    return 1.0 - off if bad else off


def _policy(name: str) -> Policy:
    one = _TABLE.get(name)
    return one.policy() if one else find_supervisor(name, SUITE).policy


_TABLE = {each.name: each for each in table()}
