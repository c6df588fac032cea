"""Alerts: rules over what the dashboards show, and storms that have nothing to do with the canary."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.metrics import ARMS, CANARY, STABLE
from releaseops_mcp.canary.world import World


@dataclass(frozen=True, slots=True)
class Alert:
    """One firing alert, as a pager shows it."""

    name: str
    severity: str
    source: str
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """Fires for an arm whose metric, over WINDOW minutes, exceeds `factor` times its usual value plus `margin`."""

    name: str
    metric: str
    severity: str
    factor: float
    margin: float


WINDOW = 5
STORM_MINUTES = 12
"""For how long an unrelated alert keeps firing."""
STORM_THICKNESS = 20.0
"""How many times more alerts an hour a storm brings."""
RULES = (
    Rule("HighErrorRate", "errors", "page", 3.0, 0.2),
    Rule("HighLatencyP99", "latency_p99", "page", 1.6, 0.0),
    Rule("DownstreamErrors", "downstream_errors", "ticket", 3.0, 0.2),
    Rule("MemoryHigh", "memory", "ticket", 1.6, 0.0),
)
USUAL_MINUTES = 4 * WINDOW
"""Minutes of the stable arm's past that say what is usual."""
_WATCHED = tuple(rule.metric for rule in RULES)
_FACTORS, _MARGINS = np.array([rule.factor for rule in RULES]), np.array([rule.margin for rule in RULES])
UNRELATED = (
    ("HighErrorRate", "page", "prometheus"),
    ("DiskPressure", "ticket", "node-exporter"),
    ("HighLatencyP99", "page", "prometheus"),
    ("CertificateExpiry", "ticket", "cert-manager"),
    ("ProbeFailed", "page", "blackbox"),
    ("QueueBacklog", "ticket", "prometheus"),
)
OTHERS = ("reports", "archive", "newsletter", "crawler")
"""Services that the canary does not touch."""


class Pager:
    """Knows which alerts fire."""

    def __init__(self, world: World, dashboard: Dashboard, rng: np.random.Generator) -> None:
        self._world = world
        self._dashboard = dashboard
        self._unrelated = _storms(world, rng)
        usual = dashboard.windows(_WATCHED, -USUAL_MINUTES, 0)[:, STABLE]
        self._limits = (_FACTORS * usual + _MARGINS)[:, None]

    def firing(self) -> list[Alert]:
        """Return the alerts that fire now."""
        newest = self._dashboard.newest
        unrelated = [alert for start, alert in self._unrelated if start <= newest < start + STORM_MINUTES]
        return [*self._rules(newest), *unrelated]

    def _rules(self, newest: int) -> list[Alert]:
        service, silenced = self._world.service.name, self._world.faults.silenced
        over = self._dashboard.windows(_WATCHED, newest - WINDOW + 1, newest + 1) > self._limits
        if silenced:
            over[:, CANARY] = False
        return [
            Alert(RULES[rule].name, RULES[rule].severity, "prometheus", {"service": service, "arm": ARMS[arm]})
            for rule, arm in np.argwhere(over).tolist()
        ]


def _storms(world: World, rng: np.random.Generator) -> list[tuple[int, Alert]]:
    """Return the unrelated alerts with the minutes at which they begin to fire."""
    minutes = np.arange(world.deadline, dtype=np.float64)
    rate = np.full(minutes.size, world.faults.storm_per_hour / 60.0)
    if world.faults.storm is not None:
        start, end = world.faults.storm
        rate[start:end] *= STORM_THICKNESS
    begins = np.flatnonzero(rng.random(minutes.size) < rate)
    kinds, others = rng.integers(len(UNRELATED), size=minutes.size), rng.integers(len(OTHERS), size=minutes.size)
    return [(int(minute), _unrelated(int(kinds[minute]), int(others[minute]))) for minute in begins]


def _unrelated(kind: int, service: int) -> Alert:
    name, severity, source = UNRELATED[kind]
    return Alert(name, severity, source, {"service": OTHERS[service]})
