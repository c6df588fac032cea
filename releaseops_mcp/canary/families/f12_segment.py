"""Segment-only: one group of users suffers and the total hides it; or that group has an incident of its own."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio = draw.risk_ratio(1.6, 6.0)
    minutes = drawn.deadline * draw.uniform(0.4, 0.9)
    if twin:
        return Plan(incidents=(Incident(0.0, minutes, ratio, "segment"),))
    return Plan(Regression("step", {"segment": ratio}, bad=True))


FAMILY = Family("f12-segment", "Segment-only", "A total hides a group: look at the group, in all arms.", _plant)
