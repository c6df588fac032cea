"""Delayed: nothing for a long while, then the change breaks; or an incident comes at just that minute."""

from releaseops_mcp.canary.drawing import Common, Draw, incidents_like
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    effects, onset = draw.effects(draw.risk_ratio(1.3, 5.0)), draw.uniform(1.0, 4.0) * drawn.interval
    if twin:
        return Plan(incidents=incidents_like(effects, onset, draw.uniform(15.0, 40.0)))
    return Plan(Regression("step", effects, onset, bad=True))


FAMILY = Family("f13-delayed", "Delayed", "Some faults need time: a step at a time leaves room to see them.", _plant)
