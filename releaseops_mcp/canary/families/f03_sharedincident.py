"""Shared incident: an outage hits all arms alike; in the twin it also hides a bad change."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    factor, minutes = draw.log_uniform(2.0, 10.0), draw.uniform(10.0, 40.0)
    incident = Incident(draw.uniform(0.0, 4.0 * drawn.interval), minutes, factor, "errors")
    effects = draw.effects(draw.risk_ratio())
    return Plan(Regression("step", effects, bad=True) if twin else Regression(), incidents=(incident,))


FAMILY = Family(
    "f03-sharedincident", "Shared incident", "An incident is no verdict on the change: look at the difference.", _plant
)
