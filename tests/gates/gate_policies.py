"""Whether the suite needs judgement: the reference beside full knowledge, and what needs none far below both.

A *ratio* is a policy's mean raw return over the reference's, on the same scenarios. *Both right* says that in a
world and in its twin every decision was right and so was the end: a safe ship, or a refusal where none was to be had.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import fmean

from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.agents.scripted.gate.clairvoyant import clairvoyant, gold
from releaseops_mcp.episodes.gate.splits import FAULTY_IN_STREAM
from releaseops_mcp.episodes.gate.suite import SUITE
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.scenario import ScenarioName
from tests.gates.gate import Gate, at_least, at_most, between
from tests.gates.gate_lab import MIX, pairs, play

MIXED, PAIRS = 450_000, 200
"""Seed and number of the pairs of twins of the mix."""
STREAM, STREAMED = 460_000, 240
"""Seed and number of the stream's scenarios."""
PROCESSES = 2
REFERENCE, TWO = "reference", "two-artefacts"
LEAST_REFERENCE = 0.60
"""Mean raw return of the reference below which no ratio says anything."""
OVER = 0.02
"""By how much a policy may exceed the clairvoyant, whose plans are only a handful."""


@dataclass(frozen=True, slots=True)
class Row:
    """One scenario as every policy played it."""

    name: ScenarioName
    family: str
    clairvoyant: float
    gold: float
    returns: dict[str, float]
    right: dict[str, bool]


def gates() -> Iterator[Gate]:
    yield from mixed(played(list(pairs(MIXED, PAIRS))))
    yield from streamed(played(list(streaming(STREAM, STREAMED))))


def mixed(rows: list[Row]) -> Iterator[Gate]:
    """Yield the gates of the mix."""
    note = f"{len(rows):,} scenarios of the {MIX}"
    top, simple = mean(rows, REFERENCE), degenerate()
    yield at_least("gate: mean raw return of the reference", top, LEAST_REFERENCE, "", note)
    levels = {level: [row for row in rows if row.name.level == level] for level in (1, 2, 3, 4, 5)}
    shares = {level: mean(part, REFERENCE) / fmean(row.gold for row in part) for level, part in levels.items()}
    yield at_least("gate: reference / gold", top / fmean(row.gold for row in rows), 0.90, "", note)
    yield at_least("gate: reference / gold, lowest level", min(shares.values()), 0.85, "", _listed(shares))
    means = {name: mean(rows, name) for name in simple}
    best = max(means, key=lambda name: means[name])
    yield at_most("gate: best degenerate policy, ratio", means[best] / top, 0.35, "", f"{best}; {_listed(means)}")
    yield at_least("gate: best degenerate policy, raw", means[best], -0.5, "", best)
    parts = {family: [row for row in rows if row.family == family] for family in sorted({row.family for row in rows})}
    tops = {family: max(mean(part, name) for name in simple) / mean(part, REFERENCE) for family, part in parts.items()}
    yield at_most("gate: best degenerate policy, highest family", max(tops.values()), 0.35, "", _listed(tops))
    yield between("gate: two artefacts a proposal, ratio", mean(rows, TWO) / top, 0.45, 0.75, "", note)
    over = {name: max(row.returns[name] - row.clairvoyant for row in rows) for name in rows[0].returns}
    first = max(over, key=lambda name: over[name])
    yield at_most("gate: most that a policy exceeds the clairvoyant", over[first], OVER, "", first)
    right = {name: both_right(rows, name) for name in rows[0].returns}
    worst = max(simple, key=lambda name: right[name])
    yield at_most("gate: twin pairs both right, best degenerate", right[worst], 0.10, "", worst)
    yield between("gate: twin pairs both right, two artefacts", right[TWO], 0.40, 0.75)
    yield at_least("gate: twin pairs both right, reference", right[REFERENCE], 0.90)


def streamed(rows: list[Row]) -> Iterator[Gate]:
    """Yield the gates of the stream: there is no ratio, since approving everything is nearly right."""
    most = fmean(row.clairvoyant for row in rows)
    regret = {name: most - mean(rows, name) for name in rows[0].returns}
    best = min(degenerate(), key=lambda name: regret[name])
    note = f"{len(rows):,} scenarios of the stream; the reference's regret is {regret[REFERENCE]:.3f}"
    yield at_least("gate: stream, regret of the best degenerate", _times(regret, best), 3, "times", f"{best}; {note}")
    yield at_least("gate: stream, regret of two artefacts", _times(regret, TWO), 2, "times", note)


def streaming(seed: int, count: int) -> Iterator[ScenarioName]:
    """Yield so many scenarios as the stream has them: most of them without the named fault."""
    faulty = (name for name in pairs(seed, count) if not name.twin)
    for number, name in enumerate(faulty):
        yield name if number % FAULTY_IN_STREAM == 0 else name.other


def played(wanted: list[ScenarioName]) -> list[Row]:
    """Play every policy on every scenario, in as many processes as there are cores to spare."""
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        return list(pool.map(row_of, wanted, chunksize=8))


def row_of(name: ScenarioName) -> Row:
    """Play every policy on one scenario."""
    world = generate(name)
    results = {each.name: play(name, each, world) for each in supervisors_for(SUITE.name)}
    return Row(
        name=name,
        family=SUITE.parse(name.id).family,
        clairvoyant=clairvoyant(world).value,
        gold=gold(world).value,
        returns={policy: result.score.total for policy, result in results.items()},
        right={policy: result.is_right for policy, result in results.items()},
    )


def degenerate() -> list[str]:
    """Return the names of the policies that need no judgement."""
    return [each.name for each in supervisors_for(SUITE.name) if each.degenerate]


def mean(rows: list[Row], policy: str) -> float:
    """Return a policy's mean raw return."""
    return fmean(row.returns[policy] for row in rows)


def both_right(rows: list[Row], policy: str) -> float:
    """Return the share of twin pairs that a policy got right on both sides."""
    sides: dict[str, list[bool]] = {}
    for row in rows:
        sides.setdefault(row.name.pair, []).append(row.right[policy])
    both = [each for each in sides.values() if len(each) == 2]
    return sum(map(all, both)) / len(both)


def _times(regret: dict[str, float], policy: str) -> float:
    return regret[policy] / regret[REFERENCE]


def _listed(figures: dict[int, float] | dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in figures.items())
