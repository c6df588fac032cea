"""pass@1 and pass^k: how often a supervisor passes, and how often it passes every time."""

from collections.abc import Mapping
from math import comb
from typing import NamedTuple

from releaseops_mcp.evaluation.statistics import Cluster


class Tries(NamedTuple):
    """What came of one scenario."""

    episodes: int
    passed: int

    def and_one(self, passed: bool) -> "Tries":
        """Return these and one more."""
        return Tries(self.episodes + 1, self.passed + passed)


def pass_at_1(tries: Mapping[str, Tries]) -> float | None:
    """Return the share of all episodes that passed; None where there is none."""
    episodes = sum(each.episodes for each in tries.values())
    return sum(each.passed for each in tries.values()) / episodes if episodes else None


def pass_hat(tries: Mapping[str, Tries]) -> dict[str, float]:
    """Return pass^k by k, from 1 up to the repeats that every scenario has: the chance that k tries all pass.

    The unbiased estimate of the tau-bench paper (Yao et al. 2024, arXiv 2406.12045): of n tries with c passes,
    C(c, k) / C(n, k), averaged over scenarios.
    """
    most = min((each.episodes for each in tries.values()), default=0)
    return {
        str(k): sum(comb(each.passed, k) / comb(each.episodes, k) for each in tries.values()) / len(tries)
        for k in range(1, most + 1)
    }


def as_clusters(tries: Mapping[str, Tries]) -> list[Cluster]:
    """Return passes as figures, for an interval of pass@1."""
    return [Cluster(float(each.passed), each.episodes) for each in tries.values()]
