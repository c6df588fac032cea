"""Tail-only: the slow path grows while the median stays; or the slow path is busy everywhere."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio = draw.risk_ratio(1.4, 5.0)
    start, minutes = draw.uniform(0.0, 3.0 * drawn.interval), drawn.deadline * draw.uniform(0.3, 0.7)
    if twin:
        return Plan(incidents=(Incident(start, minutes, ratio, "tail"),))
    return Plan(Regression("step", {"tail": ratio}, bad=True))


FAMILY = Family("f11-tail", "Tail-only", "A median says nothing about the slowest hundredth.", _plant)
