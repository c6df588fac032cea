"""Delayed: nothing for a long while, then the change breaks; or an incident comes at just that minute."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio, onset = draw.risk_ratio(2.0, 8.0), draw.uniform(1.0, 4.0) * drawn.interval
    if twin:
        return Plan(incidents=(Incident(onset, draw.uniform(15.0, 40.0), ratio, "errors"),))
    return Plan(Regression("step", draw.effects(ratio), onset, bad=True))


FAMILY = Family("f13-delayed", "Delayed", "Some faults need time: a step at a time leaves room to see them.", _plant)
