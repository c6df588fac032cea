"""Errors of a sound canary: how often plain tests and plain limits blame it (C1, C2, C3).

The expected figures come from independent prototypes of the same statistics, not from this simulator.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from releaseops_mcp.canary.judges import Judge, find_judge
from tests.gates.gate import Gate, between
from tests.gates.lab import CALM, counted, run, share, with_load, with_noise, z_scores

CRITICAL = 1.96
"""A z that a sound canary exceeds once in twenty looks, on either side."""
WORLDS = 2_000
LOOKS = 120
FIRST_LOOK = 10
"""Minutes of which the first look consists; earlier there are too few errors for a z."""
SHARED = with_noise(with_load(CALM, 6_000.0), shared=0.4)
"""600 of 6,000 requests a minute on the canary, 0.3 % errors, noise that all arms share and none of their own."""

LIMIT = {"relative": False, "limit": 0.01}
GATES: dict[str, Judge] = {
    "threshold": find_judge("threshold", LIMIT),
    "argo-like": find_judge("argo-like", LIMIT | {"failure_limit": 3}),
    "flagger-like": find_judge("flagger-like", LIMIT | {"threshold": 5}),
}
"""More than 1 % errors in a minute: the first time, the fourth time, the fifth time."""
EXPECTED = {20: (91.0, 21.0, 8.0), 50: (99.6, 83.0, 68.0), 200: (84.0, 12.0, 4.0), 1_000: (0.2, 0.0, 0.0)}
"""Percent of sound canaries that abort within 60 minutes, by the canary's requests a minute, in the order of GATES."""
APART = 5.0
"""Percentage points that a cell may differ."""
MINUTES, WEIGHT = 60, 0.05
SOUND = replace(CALM, service=replace(CALM.service, error_rate=0.002))


def gates() -> Iterator[Gate]:
    once, ever = false_alarms(WORLDS)
    yield between("C1 A/A, z once", 100 * once / WORLDS, 3, 8, "%", share(once, WORLDS))
    yield between("C2 A/A, z every minute", 100 * ever / WORLDS, 20, 35, "%", share(ever, WORLDS))
    for rpm, cells in EXPECTED.items():
        aborts = aborted(rpm, 600)
        for name, expected in zip(GATES, cells, strict=True):
            note = share(aborts[name], 600)
            title = f"C3 sound canary, {rpm} req/min, {name}"
            low, high = max(0.0, expected - APART), min(100.0, expected + APART)
            yield between(title, 100 * aborts[name] / 600, low, high, "%", note)


def false_alarms(worlds: int) -> tuple[int, int]:
    """Return in how many sound worlds a z test blames an arm: at one look after two hours, at any minute's look."""
    scores = np.abs([z_scores(run(SHARED, seed, LOOKS, 0.1)) for seed in range(worlds)])
    once = scores[:, -1] > CRITICAL
    ever = (scores[:, FIRST_LOOK - 1 :] > CRITICAL).any(axis=1)
    return int(once.sum()), int(ever.sum())


def aborted(canary_rpm: float, worlds: int) -> dict[str, int]:
    """Return how many sound canaries each gate aborts within an hour, at this traffic on the canary."""
    world = with_load(SOUND, canary_rpm / WEIGHT)
    series = [counted(run(world, seed, MINUTES, WEIGHT)) for seed in range(worlds)]
    return {name: sum(judge.judge(each).outcome == "fail" for each in series) for name, judge in GATES.items()}
