"""What the better judges can and cannot tell on the simulator's telemetry (C4, C5, C6, C8)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from releaseops_mcp.canary.judges import Judge, find_judge
from releaseops_mcp.canary.world import Incident, Regression, World
from tests.gates.gate import Gate, at_least, at_most, between
from tests.gates.lab import CALM, counted, level, run, share, with_load, with_noise

WORLDS, MANY = 400, 1_000
KAYENTA = find_judge("kayenta-like", {"allowed": 1.1})
STEADY = replace(CALM, service=replace(CALM.service, latency_spread=0.6, slow_share=0.005))
NO_MEMORY = with_load(STEADY, 250.0)
"""25 requests a minute on each fresh arm: their medians scatter by .15, each minute by itself (phi 0)."""
MEMORY = with_noise(with_load(STEADY, 60_000.0), own=0.6)
"""So much traffic that only the instances' own noise is left, phi .9; it moves latencies by a quarter of .6: by .15."""
TAIL = replace(with_noise(with_load(CALM, 6_000.0), own=0.2, shared=0.4), regression=Regression("step", {"tail": 2.0}))
"""The slow path gets twice as many requests."""
INCIDENT = Incident(30.0, 15.0, 6.0, "errors")
"""A quarter of an hour of six times the errors, in all arms."""
ABSOLUTE = find_judge("threshold", {"relative": False, "limit": 0.01})


def gates() -> Iterator[Gate]:
    hits = flagged(KAYENTA, NO_MEMORY, "latency_p50", WORLDS)
    yield at_most("C4 A/A, kayenta-like, phi 0", 100 * hits / WORLDS, 2, "%", share(hits, WORLDS))
    hits = flagged(KAYENTA, MEMORY, "latency_p50", MANY)
    yield between("C4 A/A, kayenta-like, phi .9", 100 * hits / MANY, 12, 28, "%", share(hits, MANY))
    hits = flagged(KAYENTA, TAIL, "latency_p99", WORLDS)
    yield at_least("C5 tail x 2, ranks of p99", 100 * hits / WORLDS, 80, "%", share(hits, WORLDS))
    hits = flagged(KAYENTA, TAIL, "latency_p50", WORLDS)
    yield at_most("C5 tail x 2, ranks of the median", 100 * hits / WORLDS, 10, "%", share(hits, WORLDS))
    hits = flagged_bursts(WORLDS)
    yield at_most("C5 x 4 in a quarter of the minutes, ranks", 100 * hits / WORLDS, 35, "%", share(hits, WORLDS))
    for rpm in (600, 6_000, 60_000):
        hits = blamed(1.0, 0.0, rpm, WORLDS)
        title = f"C6 A/A, e-process, {rpm} req/min"
        yield at_most(title, 100 * hits / WORLDS, 5, "%", share(hits, WORLDS))
    for rpm in (600, 6_000):
        hits = blamed(1.25, 0.3, rpm, WORLDS)
        title = f"C6 A/A, own noise .3, margin 1.25, {rpm} req/min"
        yield at_most(title, 100 * hits / WORLDS, 8, "%", share(hits, WORLDS))
    hits = blamed(1.25, 0.3, 60_000, WORLDS)
    title = "C6 A/A, own noise .3, margin 1.25, 60000 req/min"
    yield between(title, 100 * hits / WORLDS, 8, 28, "%", share(hits, WORLDS))
    hits = aborted_by_incident(WORLDS)
    for name, limit in (("absolute", at_least), ("differential", at_most)):
        target = 95 if name == "absolute" else 3
        title = f"C8 shared incident, {name} judge"
        yield limit(title, 100 * hits[name] / WORLDS, target, "%", share(hits[name], WORLDS))
    hits = aborted_by_incident(WORLDS, own=0.3, margin=1.25)["differential"]
    title = "C8 shared incident, own noise .3, margin 1.25"
    yield between(title, 100 * hits / WORLDS, 4, 20, "%", share(hits, WORLDS))


def flagged(judge: Judge, world: World, metric: str, worlds: int) -> int:
    """Return in how many worlds a judge fails the canary after an hour, by one metric against the baseline."""
    return sum(judge.judge(level(run(world, seed, 60, 0.1), metric)).outcome == "fail" for seed in range(worlds))


def flagged_bursts(worlds: int) -> int:
    """Return how often ranks fail a canary whose median is four times as high in a quarter of the minutes."""
    hits = 0
    for seed in range(worlds):
        values = run(NO_MEMORY, seed, 60, 0.1)["latency_p50"].copy()
        chosen = np.random.Generator(np.random.PCG64([seed, 3])).random(len(values)) < 0.25
        values[chosen, 0] *= 4.0
        hits += KAYENTA.judge(level({"latency_p50": values}, "latency_p50")).outcome == "fail"
    return hits


def blamed(margin: float, own: float, rpm: float, worlds: int) -> int:
    """Return how many sound canaries the e-process fails within two hours, by the service's requests a minute."""
    judge = find_judge("e-process", {"margin": margin})
    world = with_noise(with_load(CALM, rpm), own=own, shared=0.4)
    return sum(judge.judge(counted(run(world, seed, 120, 0.1))).outcome == "fail" for seed in range(worlds))


def aborted_by_incident(worlds: int, own: float = 0.0, margin: float = 1.0) -> Mapping[str, int]:
    """Return how many sound canaries are failed because of an incident that hits all arms alike."""
    judges = {"absolute": ABSOLUTE, "differential": find_judge("e-process", {"margin": margin})}
    world = replace(with_noise(with_load(CALM, 6_000.0), own=own, shared=0.4), incidents=(INCIDENT,))
    series = [counted(run(world, seed, 120, 0.1)) for seed in range(worlds)]
    return {name: sum(judge.judge(each).outcome == "fail" for each in series) for name, judge in judges.items()}
