"""Whether the mix needs judgement where training never was: the reference, the judges, and what obeys nobody."""

from collections.abc import Iterator

import numpy as np

from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.episodes.canary.splits import HELD_OUT, STRESS
from tests.gates.canary_policies import CONSTANT, REFERENCE, SUITE, played, pool, share_of, spread, top
from tests.gates.gate import Gate, at_least

SEEDS = {"held-out": HELD_OUT[:2], "stress": STRESS[:2]}
"""Seeds of a family, by split."""


def gates() -> Iterator[Gate]:
    judges = tuple(each.name for each in supervisors_for(SUITE) if not each.degenerate and each.name != REFERENCE)
    with pool() as workers:
        results = {split: played(workers, (REFERENCE, *judges, *CONSTANT), seeds) for split, seeds in SEEDS.items()}
    for split, found in results.items():
        utilities = {name: np.array([one.utility for one in each]) for name, each in found.items()}
        reference = utilities[REFERENCE]
        low, high = spread(lambda rows, of=reference: float(of[rows].mean()), len(reference))
        note = f"95 % {low:.3f} to {high:.3f}, {len(reference)} episodes"
        yield at_least(f"Bayes on {split}, mean utility", float(reference.mean()), 0.45, note=note)
        yield share_of(f"best constant on {split}:", top(utilities, CONSTANT), utilities, 0.40)
        for name in sorted(judges, key=lambda name: -float(utilities[name].mean())):
            yield share_of(f"on {split},", name, utilities, 1.0)
