"""What the views of `inspect_metric` say about a difference between canary and baseline, as a z score."""

import math

from releaseops_mcp.agents.scripted.canary.moves import mean_of
from releaseops_mcp.canary.metrics import METRICS
from releaseops_mcp.episodes.base import Json

OWN_NOISE = 0.25
"""Standard deviation that a difference of logarithms has between two sound arms, beyond what counting explains."""
LEVEL_NOISE = 0.12
"""The same of latencies, which are steadier."""
SEGMENT_SHARE = 0.3
"""About how much of the traffic the watched segment is."""
LEVELS = ("latency_p50", "latency_p99", "memory", "cpu")


def difference(view: Json) -> float:
    """Return by how many standard deviations the canary is worse; 0.0 where the view does not say."""
    metric: str = view["metric"]
    canary, baseline = mean_of(view, "canary"), mean_of(view, "baseline")
    if canary is None or baseline is None:
        return 0.0
    worse = 1.0 if METRICS[metric].higher_is_worse else -1.0
    if metric in LEVELS:
        spread = math.hypot(LEVEL_NOISE, _scatter(view, "canary"), _scatter(view, "baseline"))
        return math.log(canary / baseline) / spread
    share = SEGMENT_SHARE if metric == "segment_errors" else 1.0
    traffic = [max(share * view[f"{arm}_requests"], 1.0) for arm in ("canary", "baseline")]
    events = [value * requests / 100.0 + 0.5 for value, requests in zip((canary, baseline), traffic, strict=True)]
    ratio = math.log(events[0] / traffic[0]) - math.log(events[1] / traffic[1])
    return worse * ratio / math.sqrt(OWN_NOISE**2 + 1.0 / events[0] + 1.0 / events[1])


def mislabelled(view: Json) -> bool:
    """Return whether the canary's traffic is the stable arm's rather than its own."""
    canary, baseline, stable = (view[f"{arm}_requests"] for arm in ("canary", "baseline", "stable"))
    return canary > 1.8 * baseline and canary > 0.9 * stable > 0


def grows(view: Json) -> bool:
    """Return whether a level of the canary alone went up in the view's first half and again in its second."""
    canary = [value for value in view["canary"] if value is not None]
    baseline = mean_of(view, "baseline")
    if len(canary) < MIN_POINTS or baseline is None:
        return False
    first, middle, last = canary[0], canary[len(canary) // 2], canary[-1]
    return last > GROWTH * baseline and last - middle > 0.6 * (middle - first) > 0.0


MIN_POINTS = 5
GROWTH = 1.08
"""How far above the baseline a level must stand before its growth counts."""


def _scatter(view: Json, arm: str) -> float:
    """Return the standard error of the logarithm of an arm's mean, from the scatter of its values."""
    known = [math.log(value) for value in view[arm] if value]
    if len(known) < 2:
        return 1.0
    mean = sum(known) / len(known)
    variance = sum((value - mean) ** 2 for value in known) / (len(known) - 1)
    return math.sqrt(variance / len(known))
