"""How probable a bucket of a metric is under each particle: a log likelihood, up to a constant.

Counts are compared by their conditional binomial law, latencies by the Gaussian law of their order statistics. What
few hypotheses can match to the last percent (a warm-up, a season) counts for less than its sampling noise would allow.
"""

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.metrics import BASELINE, CANARY, STABLE
from releaseops_mcp.canary.reference.looks import Bucket
from releaseops_mcp.canary.reference.particles import MEMBERS, SEGMENT
from releaseops_mcp.canary.reference.state import QUANTILES, State

Array = NDArray[np.float64]

ROUGH = 0.06
"""Variance of a log level, against the usual one, that no hypothesis explains."""
LOOSE = 80.0
"""Most events of a bucket where fresh arms are held against the warm one: few hypotheses warm up just like this one."""
UNLIKE = 0.03
"""The same for levels, as a variance."""
SHARPEST = 0.03
"""Least standard deviation of a compared log latency."""
LEAST_SHARE = 1e-5
"""Least usual share of events."""
GROUP_ROUGH = 0.01
"""Least variance of a group's log share of all errors."""


def count(state: State, metric: str, bucket: Bucket, share: float) -> Array:
    """Return (particles,) for a share of requests; `share` is the canary's of the traffic."""
    likely = np.zeros(len(state.particles))
    exposure = np.maximum(bucket.requests, 0.0) * bucket.rows
    if exposure[CANARY] <= 0.0 or exposure[BASELINE] <= 0.0:
        return likely
    events = np.nan_to_num(bucket.values) / 100.0 * exposure
    levels = state.count_levels(metric, bucket.start, bucket.end, share)
    warm = exposure[STABLE] > 0.0 and not np.isnan(bucket.values[STABLE])
    if not (metric == "errors" and state.labels_wrong):
        logs = np.log(exposure[:STABLE])[:, None] + levels[:STABLE]
        fresh = events[CANARY] + events[BASELINE]
        chain = state.chain(metric, "fresh")
        likely += chain.count(bucket.middle, events[CANARY], fresh, logs[CANARY] - logs[BASELINE])
        if warm:
            odds = np.logaddexp(logs[CANARY], logs[BASELINE]) - np.log(exposure[STABLE]) - levels[STABLE]
            chain = state.chain(metric, "pooled")
            likely += chain.count(bucket.middle, fresh, fresh + events[STABLE], odds, LOOSE)
    if warm:
        seen = events[STABLE] + 0.5
        gap = np.log(seen / exposure[STABLE] / state.usual(metric, LEAST_SHARE)) - levels[STABLE]
        likely += state.chain(metric, "stable").level(bucket.middle, gap, np.full_like(gap, 1.0 / seen + ROUGH))
    return likely


def quantile(state: State, metric: str, bucket: Bucket, share: float) -> Array:
    """Return (particles,) for a quantile of the latency, whose values are logarithms."""
    requests = np.maximum(bucket.requests, 1.0)
    levels, variances = state.quantile_levels(metric, bucket.start, bucket.end, share, requests)
    variances = variances / bucket.rows + 0.5 * SHARPEST**2
    gap = bucket.values[:, None] - levels
    both = variances[CANARY] + variances[BASELINE]
    likely = state.chain(metric, "fresh").level(bucket.middle, gap[CANARY] - gap[BASELINE], both)
    if np.isnan(bucket.values[STABLE]):
        return likely
    middle = 0.5 * (gap[CANARY] + gap[BASELINE]) - gap[STABLE]
    likely += state.chain(metric, "pooled").level(bucket.middle, middle, 0.25 * both + variances[STABLE] + UNLIKE)
    usual = state.usually.get(metric)
    if usual:
        nothing = np.zeros(len(state.particles))
        calm, _ = state.latency.expected(QUANTILES[metric], state.services, nothing, float(requests[STABLE]))
        moved = gap[STABLE] + calm - np.log(usual)
        likely += state.chain(metric, "stable").level(bucket.middle, moved, variances[STABLE] + ROUGH)
    return likely


def group(state: State, errors: list[Bucket], bucket: Bucket, share: float) -> Array:
    """Return (particles,) for the watched group's share of all errors: what hits everybody drops out.

    `errors` are the buckets of all errors that overlap with the group's; without any, nothing is learnt.
    """
    nothing = np.zeros(len(state.particles))
    if not errors or state.labels_wrong:
        return nothing
    exposure = bucket.requests * bucket.rows
    members = exposure * MEMBERS * bucket.values / 100.0 + 0.5
    every = np.mean([one.values for one in errors], axis=0) / 100.0 * exposure + 0.7
    if np.isnan(members[:STABLE] + every[:STABLE]).any():
        return nothing
    own = state.particles.levels(SEGMENT, bucket.start, bucket.end, share)
    expected = own - state.particles.group(bucket.start, bucket.end, share)
    seen = np.log(members / every)
    scatter = np.maximum(1.0 / members - 1.0 / np.maximum(every, members * 1.05), 0.3 / members) + GROUP_ROUGH
    gap = seen[CANARY] - seen[BASELINE] - expected[CANARY] + expected[BASELINE]
    return state.chain("segment_errors", "fresh").level(
        bucket.middle, gap, nothing + scatter[CANARY] + scatter[BASELINE]
    )
