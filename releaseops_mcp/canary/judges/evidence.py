"""Evidence that may be looked at after every minute: a mixture of likelihood ratios of the canary's share of events.

For each ratio above the margin, the likelihood of the observed shares over their likelihood at the margin is, whenever
the true ratio is at most the margin, a nonnegative supermartingale that starts at 1; so is a mixture of them. By
Ville's inequality it ever exceeds 1 / alpha with probability alpha at most, however often one looks and whenever one
stops (Ramdas, Gruenwald, Vovk and Shafer, Game-theoretic statistics and safe anytime-valid inference, 2023; for
canaries, arXiv 2205.14762).
"""

import math

import numpy as np

from releaseops_mcp.canary.judges.arm import Array
from releaseops_mcp.canary.judges.counts import Counts

ABOVE_MARGIN = np.geomspace(1.15, 12.0, 16)
"""The mixture's ratios, as factors of the margin; equal weights."""


def log_e_process(counts: Counts, margin: float, restart: int | None = None) -> Array:
    """Return (..., buckets) the natural logarithm of the evidence that the first arm's rate is over `margin` times.

    With `restart` the evidence also begins anew every so many buckets, and those that began are mixed: the i-th start
    weighs 1 / (i (i + 1)), and what is left waits as 1 for the starts to come.
    """
    factors = ABOVE_MARGIN.reshape(-1, *(1 for _ in counts.events.shape))
    at_margin = counts.totals * margin + counts.other_totals
    beyond = counts.totals * margin * factors + counts.other_totals
    shrunk = np.log(np.where(at_margin > 0.0, at_margin / np.maximum(beyond, 1e-300), 1.0))
    grown = (counts.events * np.log(factors) + counts.all_events * shrunk).cumsum(axis=-1)
    if restart is None:
        return _mixed(grown)
    starts = range(0, grown.shape[-1], restart)
    mixture = [np.full_like(grown[0], -math.log(len(starts) + 1))]
    for number, start in enumerate(starts, start=1):
        begun = np.zeros_like(grown[0])
        begun[..., start:] = _mixed(grown[..., start:] - (grown[..., start - 1 : start] if start else 0.0))
        mixture.append(begun - math.log(number * (number + 1)))
    evidence: Array = np.logaddexp.reduce(mixture, axis=0)
    return evidence


def _mixed(grown: Array) -> Array:
    """Return (..., buckets) the mixture over the ratios of (ratios, ..., buckets) log likelihood ratios."""
    mixed: Array = np.logaddexp.reduce(grown, axis=0) - math.log(len(grown))
    return mixed
