"""Events of two arms given how many there were in all: what is left when load, season and incidents cancel out.

If events are rare and the canary's rate is `ratio` times the control's, then of the events of both, the canary's are
binomial with the share n ratio / (n ratio + m), for n and m totals: whatever moves both arms alike drops out. Where
events are common (a tenth of the requests and more) the true distribution is narrower, and a ratio of risks lies below
the ratio of odds that is meant here.
"""

from dataclasses import dataclass

import numpy as np

from releaseops_mcp.canary.judges.arm import Array
from releaseops_mcp.canary.judges.base import needed
from releaseops_mcp.canary.judges.series import Against, Series


@dataclass(frozen=True, slots=True)
class Counts:
    """Events and totals of the suspect and of the other arm, each (..., buckets); without nan."""

    events: Array
    totals: Array
    other_events: Array
    other_totals: Array

    def share(self, ratio: float) -> Array:
        """Return (..., buckets) which share of all events is the suspect's where its rate is `ratio` times as high."""
        weighted = self.totals * ratio
        whole = weighted + self.other_totals
        return np.where(whole > 0.0, weighted / np.maximum(whole, 1e-300), 0.5)

    @property
    def all_events(self) -> Array:
        """(..., buckets) events of both."""
        return self.events + self.other_events

    def swapped(self) -> "Counts":
        """Return the same with the arms exchanged."""
        return Counts(self.other_events, self.other_totals, self.events, self.totals)


def counts_of(series: Series, against: Against, judge: str) -> Counts | None:
    """Return a metric's counts with the arm first that is worse off where the canary is; None where it has none.

    Buckets in which an arm is unknown or had no traffic hold zeros: they say nothing. Counts are rounded, since
    Prometheus extrapolates. Raises InvalidArgument where there is no control.
    """
    control = needed(series.control(against), series, judge)
    if series.canary.events is None or control.events is None:
        return None
    arms = np.array([series.canary.events, series.canary.totals, control.events, control.totals], dtype=np.float64)
    useless = ~np.isfinite(arms).all(axis=0) | (arms[1] == 0.0) | (arms[3] == 0.0)
    counts = Counts(*np.round(np.where(useless, 0.0, arms)))
    return counts if series.higher_is_worse else counts.swapped()
