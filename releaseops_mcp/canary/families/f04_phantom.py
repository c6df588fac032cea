"""Phantom alerts: a storm of alerts that has nothing to do with the canary; in the twin something is wrong as well."""

from dataclasses import replace

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    start = draw.whole(0, 3 * drawn.interval)
    storm = (start, start + draw.whole(10, 30))
    faults = replace(drawn.faults, storm_per_hour=draw.uniform(2.0, 6.0), storm=storm, silenced=True)
    effects = draw.effects(draw.risk_ratio())
    return Plan(Regression("step", effects, bad=True) if twin else Regression(), faults=faults)


FAMILY = Family(
    "f04-phantom", "Phantom alerts", "An alert's labels and the metrics decide, never the number of alerts.", _plant
)
