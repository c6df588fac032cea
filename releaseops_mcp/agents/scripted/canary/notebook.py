"""Keeps what the views of `inspect_metric` show, and gives it to judges as the series that they take."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from releaseops_mcp.agents.scripted.canary.evidence import SEGMENT_SHARE
from releaseops_mcp.canary.judges import Arm, Comparison, Series
from releaseops_mcp.canary.metrics import ARMS, METRICS
from releaseops_mcp.episodes.base import Json

Row = tuple[float, float]
"""A value, nan where there is none, and about how many requests are behind it."""


@dataclass(slots=True)
class Notebook:
    """Rows of each metric and arm by the minute in which they begin."""

    rows: dict[str, dict[str, dict[int, Row]]] = field(default_factory=dict[str, dict[str, dict[int, Row]]])
    seen: dict[str, int] = field(default_factory=dict[str, int])
    """Until which minute each metric has been read."""

    def window(self, metric: str, minute: int) -> int:
        """Return how far to look back, now that it is `minute`, so that nothing is missed; a look takes a minute."""
        return minute + 1 - self.seen.get(metric, 0)

    def add(self, view: Json) -> None:
        """Keep the rows of a view but for the newest, which is incomplete and will be read again."""
        metric: str = view["metric"]
        start, minutes = int(view["from_minute"]), int(view["bucket_minutes"])
        for arm in ARMS:
            shown: list[float | None] = view[arm]
            requests = view[f"{arm}_requests"] / max(len(shown), 1)
            kept = self.rows.setdefault(metric, {}).setdefault(arm, {})
            for number, value in enumerate(shown[:-1]):
                kept[start + number * minutes] = (math.nan if value is None else value, requests)
            self.seen[metric] = max(start + (len(shown) - 1) * minutes, self.seen.get(metric, 0))

    def comparison(self, metrics: Sequence[str]) -> Comparison:
        """Return what has been read of these metrics, a bucket a minute; where rows are longer, nan follows them."""
        length = max((self.seen.get(metric, 0) for metric in metrics), default=0)
        return Comparison(series=tuple(self._series(metric, max(length, 1)) for metric in metrics))

    def _series(self, metric: str, length: int) -> Series:
        rows = self.rows.get(metric, {})
        arms = {arm: _arm(metric, rows.get(arm, {}), length) for arm in ARMS}
        return Series(metric=metric, higher_is_worse=METRICS[metric].higher_is_worse, **arms)


def _arm(metric: str, rows: Mapping[int, Row], length: int) -> Arm:
    read = [rows.get(minute, (math.nan, 0.0)) for minute in range(length)]
    values = tuple(value for value, _ in read)
    if METRICS[metric].per is None:
        return Arm(values=values)
    share = SEGMENT_SHARE if metric == "segment_errors" else 1.0
    totals = [float(round(requests * share)) for _, requests in read]
    events = [
        math.nan if math.isnan(value) else float(min(round(value / 100.0 * total), total))
        for value, total in zip(values, totals, strict=True)
    ]
    return Arm(values=values, events=tuple(events), totals=tuple(totals))
