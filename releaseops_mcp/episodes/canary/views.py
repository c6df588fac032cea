"""What an agent is shown: the compact observation, and the longer views that it may ask for."""

import math

import numpy as np

from releaseops_mcp.canary.alerts import Alert
from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.latents import HISTORY
from releaseops_mcp.canary.metrics import ARMS, BASELINE, CANARY, METRICS, STABLE
from releaseops_mcp.canary.world import World
from releaseops_mcp.episodes.base import Json

ROWS = 10
"""Most rows of one view."""
USUAL = ("errors", "latency_p50", "latency_p99", "conversion", "downstream_errors")
"""Metrics whose usual values the first observation tells."""


def setup_of(world: World, dashboard: Dashboard) -> Json:
    """Return the facts of a rollout that do not change: the service, the pace, what is usual in the stable arm."""
    service = world.service
    usual = dashboard.windows(("requests", *USUAL), -HISTORY, 0)[:, STABLE]
    return {
        "service": service.name,
        "requests_per_minute": significant(usual[0]),
        "interval_minutes": world.interval,
        "deadline_minute": world.deadline,
        "segment": service.segment,
        "downstream": service.downstream,
        "usual": {name: number(value) for name, value in zip(USUAL, usual[1:], strict=True)},
    }


def standing(dashboard: Dashboard, minute: int, since: int, weight: float, alerts: list[Alert]) -> Json:
    """Return the compact observation, figures of two digits: a turn is to be at most 80 tokens of a small model.

    `errors` is in percent, canary first, baseline second; `tail` the canary's p99 as a multiple of the baseline's;
    `alerts` how many alerts fire, by name as a pager groups them.
    """
    (errors, slow) = dashboard.windows(("errors", "latency_p99"), since, minute)
    return {
        "minute": minute,
        "weight": round(100 * weight),
        "errors": [significant(round(float(errors[arm]), 2)) for arm in (CANARY, BASELINE)],
        "tail": significant(float(slow[CANARY] / slow[BASELINE])),
        "alerts": len({alert.name for alert in alerts}),
    }


def series_view(dashboard: Dashboard, name: str, minute: int, window: int) -> Json:
    """Return a metric's last minutes in at most ROWS buckets an arm, oldest first, with the requests behind them."""
    end = dashboard.newest + 1
    start = max(minute - window, -HISTORY)
    bucket = math.ceil(window / ROWS)
    rows = dashboard.buckets(name, start, end, bucket).tolist()
    requests = dashboard.series("requests", start, end)
    view: Json = {
        "metric": name,
        "unit": METRICS[name].unit,
        "from_minute": start,
        "bucket_minutes": bucket,
    }
    for arm, label in enumerate(ARMS):
        view[label] = [number(row[arm]) for row in rows]
        view[f"{label}_requests"] = round(float(np.nansum(requests[:, arm])))
    return view


def alerts_view(alerts: list[Alert]) -> Json:
    """Return the firing alerts, each with name, severity, source and labels."""
    firing = [
        {"name": alert.name, "severity": alert.severity, "source": alert.source, "labels": dict(alert.labels)}
        for alert in alerts
    ]
    return {"metric": "alerts", "firing": firing}


def number(value: "np.float64 | float") -> float | int | None:
    """Return a plain number as it is shown, None where there is no value."""
    if math.isnan(value):
        return None
    plain = float(value)
    return int(plain) if plain.is_integer() else plain


def significant(value: "np.float64 | float", digits: int = 2) -> float | int | None:
    """Return a plain number of so many significant digits, None where there is no value."""
    return None if math.isnan(value) else number(float(f"{value:.{digits}g}"))
